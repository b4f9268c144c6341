import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { runAccessGuard, testAccess } from '../../lib/n8n/access-guard';
import { properties } from './description';

export class AccessGuard implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Access Guard',
		name: 'accessGuard',
		icon: { light: 'file:access-guard.svg', dark: 'file:access-guard.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["scopes"] || "signed-in users" }}',
		description: 'Lets signed-in users through: verifies the token of a request (OpenID Connect, JWT) and adds who it is, for rights, memory and tools',
		defaults: { name: 'Access Guard' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Allowed', 'Refused'],
		credentials: [{ name: 'reactEngineAccessApi', required: true, testedBy: 'testAccess' }],
		usableAsTool: undefined,
		properties,
	};

	methods = { credentialTest: { testAccess } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runAccessGuard(this);
	}
}
