import {
	NodeConnectionTypes,
	WAIT_INDEFINITELY,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	type SupplyData,
} from 'n8n-workflow';

import { supplyTools } from '../../lib/n8n/supply';
import { readToolItem } from '../../lib/n8n/tool-item';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { answerOf, askUserTool, questionPage } from '../../lib/toolkits/ask-user';
import { properties, webhooks } from './description';

export class AskUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Ask User',
		name: 'askUser',
		icon: { light: 'file:ask-user.svg', dark: 'file:ask-user.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: 'waits for a person',
		description: 'Lets an agent put a question to a person: the run waits until the answer page is filled in',
		defaults: { name: 'Ask User' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tool'],
		usableAsTool: undefined,
		webhooks,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		return supplyTools(this, [askUserTool(this.getNodeParameter('intent', itemIndex, '') as string)]);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [item] = this.getInputData();
		const { input } = readToolItem(item?.json ?? {}, [askUserTool('')]);
		const question = typeof input.question === 'string' ? input.question.trim() : '';
		if (question === '') throw toNodeError(this.getNode(), new Error('The question is empty: give it in "question"'), 0);
		const hours = this.getNodeParameter('waitHours', 0, 0) as number;
		await this.putExecutionToWait(hours > 0 ? new Date(Date.now() + hours * 3_600_000) : WAIT_INDEFINITELY);
		const answerUrl = String(this.getWorkflowDataProxy(0).$execution.resumeUrl);
		return [[{ json: { question, answerUrl }, pairedItem: { item: 0 } }]];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const response = this.getResponseObject();
		const isPost = this.getRequestObject().method === 'POST';
		const answer = isPost ? answerOf(this.getBodyData()) : undefined;
		const page = questionPage(answer === undefined ? 'ask' : 'thanks');
		response.status(200).setHeader('Content-Type', 'text/html; charset=utf-8').send(page);
		if (answer === undefined) return { noWebhookResponse: true };
		return { noWebhookResponse: true, workflowData: [[{ json: { response: answer } }]] };
	}
}
