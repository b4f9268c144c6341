import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { condense } from '../../lib/chat/condense';
import { CodedError } from '../../lib/core/errors';
import { readQuestion } from '../../lib/n8n/chat/read-question';
import { connectedModel } from '../../lib/n8n/connected';
import { portsOf } from '../../lib/n8n/ports';
import { readHistory } from '../../lib/n8n/read-history';

/** One item with its question made to stand alone; its other fields stay. */
export async function condenseItem(ctx: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData> {
	const { text: question, before } = readQuestion(ctx.getNodeParameter('query', itemIndex, ''));
	if (question === '') {
		throw new CodedError('BAD_INPUT', 'There is no question to condense', {
			remedy: 'Let the field Question give a text, for example {{ $json.question }}; behind a Webhook {{ $json.body.query }}.',
		});
	}
	const history = [...readHistory(ctx.getNodeParameter('history', itemIndex, '')), ...before];
	const skip = ctx.getNodeParameter('skip', itemIndex, false) === true;
	const signal = ctx.getExecutionCancelSignal() ?? new AbortController().signal;
	const model = async () => await connectedModel(ctx, itemIndex);
	const { query, original, ...details } = await condense({ question, history, skip }, { model, ports: portsOf(ctx), signal });
	if (details.how === 'original') ctx.addExecutionHints({ message: `The question stayed as it was: ${details.reason}`, type: 'warning', location: 'outputPane' });
	const item = ctx.getInputData()[itemIndex];
	const condensing = details as unknown as IDataObject;
	return { ...item, json: { ...item?.json, query, originalQuery: original, condensing }, pairedItem: { item: itemIndex } };
}
