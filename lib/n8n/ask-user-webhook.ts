import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { detectLanguage, type Language } from '../text/language';
import { askPage, thanksPage } from '../toolkits/ask-page';
import { askWords } from '../toolkits/ask-words';
import { answerOf, askUserTool, decisionOf, type AskedCall } from '../toolkits/ask-user';
import { asRecord } from './as-record';
import { readToolItem } from './tool-item';

/** What a waiting Ask User node asks. */
export interface Asked extends IDataObject {
	readonly question: string;
	/** The call to approve; absent for a plain question. */
	readonly approval?: IDataObject;
}

/** Reads the question from the item of the tool call; an approval is taken only from our own agent. */
export function askedOf(json: IDataObject): Asked {
	const { input, fromOurs } = readToolItem(json, [askUserTool('', 'wait')]);
	const question = typeof input.question === 'string' ? input.question.trim() : '';
	const { tool, arguments: given, language } = asRecord(input.approval);
	if (!fromOurs || typeof tool !== 'string') return { question };
	return { question, approval: { tool, arguments: asRecord(given) as IDataObject, ...(language === 'fr' && { language }) } };
}

/**
 * Answers a request to a waiting node: GET shows the page, POST takes the answer or the decision and lets the execution go on
 * with it; an unusable POST shows the page again with what was wrong.
 *
 * The address is that of the execution: it is the same for its next question, so a form names the question that it answers.
 */
export function answerRequest(ctx: IWebhookFunctions): IWebhookResponseData {
	const item = waitingItem(ctx);
	const asked = askedOf(item);
	const call = asked.approval as AskedCall | undefined;
	const language = languageOf(ctx, asked);
	const words = askWords(language);
	const page = { question: asked.question || words.yourAnswer, language, reference: String(item.toolCallId ?? ''), ...(call && { call }) };
	if (ctx.getRequestObject().method !== 'POST') return respond(ctx, askPage(page));
	const body = ctx.getBodyData();
	if (body.reference !== undefined && body.reference !== page.reference) return respond(ctx, askPage({ ...page, problem: words.already }));
	try {
		const decision = call && decisionOf(body, call, Date.now());
		const response = call ? decision : answerOf(body);
		if (response === undefined) return respond(ctx, askPage({ ...page, problem: words.missing, sent: body }));
		return { ...respond(ctx, thanksPage(language)), workflowData: [[{ json: { response: response as unknown as IDataObject } }]] };
	} catch {
		return respond(ctx, askPage({ ...page, problem: words.notAnObject, sent: body }));
	}
}

/** Of the run that asks for an approval; of the question, where it tells; else of the reader's browser. */
function languageOf(ctx: IWebhookFunctions, { question, approval }: Asked): Language {
	if (approval) return approval.language === 'fr' ? 'fr' : 'en';
	const wanted = String(ctx.getHeaderData()['accept-language'] ?? '');
	return detectLanguage(question) ?? (/^\s*fr\b/i.test(wanted) ? 'fr' : 'en');
}

/** n8n gives the webhook of a waiting node the item that the node got as `$json`; it puts the leading "=" itself. */
function waitingItem(ctx: IWebhookFunctions): IDataObject {
	return asRecord(ctx.evaluateExpression('{{ $json }}', 0)) as IDataObject;
}

function respond(ctx: IWebhookFunctions, page: string): IWebhookResponseData {
	const response = ctx.getResponseObject();
	response.status(200).setHeader('Content-Type', 'text/html; charset=utf-8');
	response.end(page);
	return { noWebhookResponse: true };
}
