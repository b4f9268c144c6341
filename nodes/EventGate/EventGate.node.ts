import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { runEventGate } from '../../lib/n8n/event-gate';
import { testEventKeys } from '../../lib/n8n/event-sender';
import { testStorage } from '../../lib/n8n/storage';
import { properties } from './description';

export class EventGate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Gate',
		name: 'eventGate',
		icon: { light: 'file:event-gate.svg', dark: 'file:event-gate.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] === "forget" ? "forget an event" : $parameter["check"] === "signature" ? $parameter["sender"] : $parameter["check"] === "none" ? "not checked" : $parameter["check"] }}',
		description: 'Lets an event of an ERP, CRM or other system through once: verifies who sent it, drops repeats, and maps it for an agent',
		defaults: { name: 'Event Gate' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Accepted', 'Refused'],
		credentials: [
			{
				name: 'reactEngineEventKeyApi',
				required: true,
				testedBy: 'testEventKeys',
				displayOptions: { show: { operation: ['check'], check: ['signature', 'token'] } },
			},
			{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' },
		],
		usableAsTool: undefined,
		properties,
	};

	methods = { credentialTest: { testEventKeys, testStorage } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runEventGate(this);
	}
}
