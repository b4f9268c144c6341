import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

const shown = { show: { kind: ['postgres'] } };
const postgres: INodeProperties[] = [
	{ displayName: 'Host', name: 'host', type: 'string', default: 'localhost', displayOptions: shown },
	{ displayName: 'Port', name: 'port', type: 'number', default: 5432, displayOptions: shown },
	{ displayName: 'Database', name: 'database', type: 'string', default: '', displayOptions: shown },
	{ displayName: 'User', name: 'user', type: 'string', default: '', displayOptions: shown, description: 'A user that may create schemas' },
	{ displayName: 'Password', name: 'password', type: 'string', typeOptions: { password: true }, default: '', displayOptions: shown },
	{ displayName: 'SSL', name: 'ssl', type: 'boolean', default: false, displayOptions: shown, description: 'Whether the connection is encrypted' },
];

/** Tested by the RAG nodes (`testStorage`), since there is no server to ask. */
export class ReactEngineStorageApi implements ICredentialType {
	name = 'reactEngineStorageApi';
	displayName = 'Engine Storage API';
	documentationUrl = 'https://github.com/n8n-nodes-reactengine/n8n-nodes-reactengine#readme';
	icon: Icon = { light: 'file:react-engine-storage.svg', dark: 'file:react-engine-storage.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Kind',
			name: 'kind',
			type: 'options',
			default: 'folder',
			options: [
				{ name: 'Folder of n8n', value: 'folder', description: 'Files on the machine that runs n8n, inside its data folder' },
				{ name: 'Postgres', value: 'postgres', description: 'A Postgres with pgvector, for several machines and large collections' },
			],
		},
		{
			displayName: 'Whoever may use this credential may use the knowledge bases of this storage.',
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
			displayOptions: { show: { kind: ['folder'] } },
			description:
				'A name, not a path. Two credentials with the same name share their knowledge bases. Empty is the default storage, which nodes without a credential use.',
		},
		{
			displayName: 'Workers Share This Folder',
			name: 'sharedVolume',
			type: 'boolean',
			default: false,
			displayOptions: { show: { kind: ['folder'] } },
			description:
				'Whether all workers of n8n in queue mode run on one machine with the same local volume. A network file system cannot hold these files.',
		},
		...postgres,
	];
}
