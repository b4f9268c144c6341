import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type ITriggerFunctions, type ITriggerResponse } from 'n8n-workflow';

import { startEventQueue } from '../../lib/n8n/event-queue';
import { testStorage } from '../../lib/n8n/storage';
import { toNodeError } from '../../lib/n8n/to-node-error';
import { properties } from './description';

export class EventQueueTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Queue Trigger',
		name: 'eventQueueTrigger',
		icon: { light: 'file:event-queue-trigger.svg', dark: 'file:event-queue-trigger.dark.svg' },
		group: ['trigger'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["list"] }}',
		description: 'Starts a run for each event that a Business Event Trigger has kept: in order, gathered, at most so many, tried again when a run fails',
		defaults: { name: 'Event Queue Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' }],
		properties,
	};

	methods = { credentialTest: { testStorage } };

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		try {
			return await startEventQueue(this);
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}
