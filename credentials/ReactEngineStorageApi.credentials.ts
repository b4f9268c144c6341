import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

/** Tested by the RAG nodes (`testStorage`), since there is no server to ask. */
export class ReactEngineStorageApi implements ICredentialType {
	name = 'reactEngineStorageApi';
	displayName = 'Engine Storage API';
	documentationUrl = 'https://github.com/n8n-nodes-reactengine/n8n-nodes-reactengine#readme';
	icon: Icon = { light: 'file:react-engine-storage.svg', dark: 'file:react-engine-storage.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName:
				'Knowledge bases are files on the machine that runs n8n, inside its data folder. Whoever may use this credential may use the knowledge bases of this storage.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Storage Name',
			name: 'storage',
			type: 'string',
			default: '',
			placeholder: 'e.g. maintenance-team',
			description:
				'A name, not a path. Two credentials with the same name share their knowledge bases. Empty is the default storage, which nodes without a credential use.',
		},
	];
}
