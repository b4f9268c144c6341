import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type ISupplyDataFunctions,
	type SupplyData,
} from 'n8n-workflow';

import { connectedModels } from '../../lib/n8n/connected';
import { engineFile } from '../../lib/n8n/engine-file';
import { portsOf } from '../../lib/n8n/ports';
import { supplyModel } from '../../lib/n8n/supply';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { modelRecordsIn } from '../../lib/providers/policy/model-records';
import { policyModel } from '../../lib/providers/policy/policy-model';
import { properties } from './description';
import { policyOf } from './policy-of';

export class ModelPolicy implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Model Policy',
		name: 'modelPolicy',
		icon: { light: 'file:model-policy.svg', dark: 'file:model-policy.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["strategy"] }}',
		description: 'Makes one model of several: chooses by preference, price or speed, and goes to the next when one fails',
		defaults: { name: 'Model Policy' },
		inputs: [{ type: NodeConnectionTypes.AiLanguageModel, displayName: 'Models', required: true }],
		outputs: [NodeConnectionTypes.AiLanguageModel],
		outputNames: ['Model'],
		usableAsTool: undefined,
		properties,
	};

	async supplyData(this: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
		try {
			const ports = portsOf(this);
			const records = modelRecordsIn(await engineFile(this, itemIndex, 'measured', 'models'), ports);
			const models = await connectedModels(this, itemIndex);
			return supplyModel(this, policyModel(models, policyOf(this, itemIndex), records, ports));
		} catch (error) {
			throw toNodeError(this.getNode(), error, itemIndex);
		}
	}
}
