import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { applyRetention, diagnose, erasePerson } from '../../lib/n8n/engine-admin';
import { testStorage } from '../../lib/n8n/storage';
import { properties } from './description';

type Operation = (ctx: IExecuteFunctions, itemIndex: number) => Promise<IDataObject>;

const operations = (): Record<string, Operation> => ({ diagnose, erase: erasePerson, retention: applyRetention });

export class EngineAdmin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Engine Admin',
		name: 'engineAdmin',
		icon: { light: 'file:engine-admin.svg', dark: 'file:engine-admin.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Looks after what the engine keeps: says what is wrong and what to do, erases a person, removes what is old',
		defaults: { name: 'Engine Admin' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'reactEngineStorageApi', required: false, testedBy: 'testStorage' }],
		usableAsTool: undefined,
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = operations()[this.getNodeParameter('operation', 0) as string] ?? diagnose;
		return [await eachItem(this, async (itemIndex) => ({ ...this.getInputData()[itemIndex]?.json, ...(await run(this, itemIndex)) }))];
	}
}
