import { type IDataObject, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { compress } from '../../lib/compression/compress';
import { readPassages } from '../../lib/compression/read-passages';
import { readSettings, readTools } from './read-settings';

/** The item with shorter `documents`, `context` and `compression`. */
export async function compressItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const query = ctx.getNodeParameter('query', itemIndex) as unknown;
	const documents = readPassages(ctx.getNodeParameter('documents', itemIndex));
	const settings = readSettings(ctx, itemIndex);
	const request = { ...settings, query: typeof query === 'string' ? query : '', documents };
	const result = await compress(request, await readTools(ctx, itemIndex, settings));
	for (const message of result.compression.warnings) ctx.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	const item = ctx.getInputData()[itemIndex];
	return { ...item, json: { ...item?.json, ...(result as unknown as IDataObject) }, pairedItem: { item: itemIndex } };
}
