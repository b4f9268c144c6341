import {
	NodeConnectionTypes,
	type EngineRequest,
	type EngineResponse,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { runAgentItems } from '../../lib/n8n/agent/agent-items';
import { testStorage } from '../../lib/n8n/storage';
import { inputs, properties } from './description';

export class ReActAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'ReAct Agent',
		name: 'reActAgent',
		icon: { light: 'file:re-act-agent.svg', dark: 'file:re-act-agent.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] === "resume" ? "goes on with an answer" : "thinks, uses tools, answers" }}',
		description: 'Solves a task step by step: thinks, calls tools, reads their results, answers. Each call is a visible run',
		defaults: { name: 'ReAct Agent' },
		inputs,
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: undefined,
		// Only a run that ends with a question keeps something.
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse,
	): Promise<INodeExecutionData[][] | EngineRequest> {
		return await runAgentItems(this, response);
	}
}
