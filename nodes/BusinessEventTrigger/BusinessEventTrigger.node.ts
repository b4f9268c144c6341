import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { testEventKeys } from '../../lib/n8n/event-sender';
import { receiveEvent } from '../../lib/n8n/event-webhook';
import { testStorage } from '../../lib/n8n/storage';
import { properties } from './description';

export class BusinessEventTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Business Event Trigger',
		name: 'businessEventTrigger',
		icon: { light: 'file:business-event-trigger.svg', dark: 'file:business-event-trigger.dark.svg' },
		group: ['trigger'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["check"] === "signature" ? $parameter["sender"] : $parameter["check"] === "none" ? "not checked" : $parameter["check"] }}',
		description: 'Takes events of an ERP, CRM or other system by webhook: verifies the sender, keeps each event on disk once, then says 202',
		defaults: { name: 'Business Event Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{ name: 'reactEngineEventKeyApi', required: true, testedBy: 'testEventKeys', displayOptions: { show: { check: ['signature', 'token'] } } },
			{ name: 'reactEngineStorageApi', displayName: 'Engine Storage (Optional)', required: false, testedBy: 'testStorage' },
		],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter["path"] }}', isFullPath: true, rawBody: true }],
		properties,
	};

	methods = { credentialTest: { testEventKeys, testStorage } };

	/** The address is entered at the sender by hand: there is nothing to register there. */
	webhookMethods = { default: { checkExists: async () => true, create: async () => true, delete: async () => true } };

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveEvent(this);
	}
}
