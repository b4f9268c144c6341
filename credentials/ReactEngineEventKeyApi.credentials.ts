import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

/** Tested by Event Gate (`testEventKeys`), since there is no server to ask. */
export class ReactEngineEventKeyApi implements ICredentialType {
	name = 'reactEngineEventKeyApi';
	displayName = 'Event Key API';
	documentationUrl = 'https://github.com/n8n-nodes-reactengine/n8n-nodes-reactengine#readme';
	icon: Icon = { light: 'file:react-engine-key.svg', dark: 'file:react-engine-key.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Key',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'The secret that the sender signs with (signing secret, app secret), or the token that it sends. For Basic Auth: user:password.',
		},
		{
			displayName: 'Older Key',
			name: 'olderSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Counts as well while the key is being changed. Empty it when the sender uses the new one.',
		},
	];
}
