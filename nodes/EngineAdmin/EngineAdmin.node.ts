import { NodeConnectionTypes, type IDataObject, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { eachItem } from '../../lib/n8n/each-item';
import { backUp, restore } from '../../lib/n8n/admin-copies';
import { applyRetention, diagnose } from '../../lib/n8n/engine-admin';
import { erasePerson, exportPerson } from '../../lib/n8n/person-data';
import { testStorage } from '../../lib/n8n/storage';
import { verifyStores } from '../../lib/n8n/verify-stores';
import { properties } from './description';

type Operation = (ctx: IExecuteFunctions, itemIndex: number) => Promise<IDataObject | INodeExecutionData[]>;

const operations = (): Record<string, Operation> => ({ backup: backUp, diagnose, erase: erasePerson, export: exportPerson, restore, retention: applyRetention, verify: verifyStores });

export class EngineAdmin implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Engine Admin',
		name: 'engineAdmin',
		icon: { light: 'file:engine-admin.svg', dark: 'file:engine-admin.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Looks after what the engine keeps: says what is wrong and what to do, backs up, restores, verifies, exports or erases a person, removes what is old',
		defaults: { name: 'Engine Admin' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		usableAsTool: undefined,
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const run = operations()[this.getNodeParameter('operation', 0) as string] ?? diagnose;
		return [
			await eachItem(this, async (itemIndex) => {
				const result = await run(this, itemIndex);
				return Array.isArray(result) ? result : { ...this.getInputData()[itemIndex]?.json, ...result };
			}),
		];
	}
}
