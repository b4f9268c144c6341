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

import { answerRequest, askedOf } from '../../lib/n8n/ask-user-webhook';
import { supplyTools } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { askUserTool, type AskWay } from '../../lib/toolkits/ask-user';
import { properties, webhooks } from './description';

export class AskUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Ask User',
		name: 'askUser',
		icon: { light: 'file:ask-user.svg', dark: 'file:ask-user.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["way"] === "end" ? "ends the run with a question" : "waits for a person" }}',
		description: 'Lets an agent put a question, or an approval, to a person',
		defaults: { name: 'Ask User' },
		inputs: [],
		outputs: [NodeConnectionTypes.AiTool],
		outputNames: ['Tool'],
		usableAsTool: undefined,
		webhooks,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		const intent = this.getNodeParameter('intent', itemIndex, '') as string;
		return supplyTools(this, [askUserTool(intent, this.getNodeParameter('way', itemIndex, 'wait') as AskWay)]);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const json = this.getInputData()[0]?.json ?? {};
		const asked = askedOf(json);
		const reference = String(json.toolCallId ?? '');
		if (asked.question === '') throw toNodeError(this.getNode(), new Error('The question is empty: give it in "question"'), 0);
		const hours = this.getNodeParameter('waitHours', 0, 0) as number;
		await this.putExecutionToWait(hours > 0 ? new Date(Date.now() + hours * 3_600_000) : WAIT_INDEFINITELY);
		const answerUrl = String(this.getWorkflowDataProxy(0).$execution.resumeUrl);
		return [[{ json: { ...asked, reference, answerUrl }, pairedItem: { item: 0 } }]];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return answerRequest(this);
	}
}
