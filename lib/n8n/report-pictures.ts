import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { RunReport } from '../core/run';
import { PLAIN_COLOURS, stepChart } from '../report/step-chart';
import type { ReportPicture } from '../report/report-source';
import { wordsOf } from '../report/words';
import { toPng } from '../toolkits/chart';

/**
 * The pictures of a report: inside it as data addresses, or beside it as binary fields that a mail node attaches. Gmail and Outlook
 * show only attached ones (`cid:` and the name of the field, as n8n's Send Email gives it); other programs show both.
 */

/** Bytes of one picture inside a document, and of all of them together; what is larger is named only. */
const MOST_BYTES = 600_000;
const MOST_BYTES_IN_ALL = 1_000_000;

interface Picture {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Buffer;
}

export class ReportPictures {
	/** Fields of the output item, with the pictures that are attached. */
	readonly attached: IBinaryKeyData = {};
	private count = 0;
	private inside = 0;

	constructor(
		private readonly ctx: IExecuteFunctions,
		private readonly how: { readonly form: 'page' | 'mail'; readonly attach: boolean; readonly language: 'en' | 'fr' },
	) {}

	/** The address of the picture in a binary field, for a logo; undefined where there is none. */
	async logo(itemIndex: number, field: string): Promise<string | undefined> {
		const found = field === '' ? undefined : this.ctx.getInputData()[itemIndex]?.binary?.[field];
		if (!found?.mimeType.startsWith('image/')) return undefined;
		return await this.address(await this.read(itemIndex, field, found), 'logo');
	}

	/** The pictures of a run that stand beside it in its item, and for a mail the chart of its steps. */
	async ofRun(itemIndex: number, run: RunReport, withChart: boolean): Promise<ReportPicture[]> {
		const chart = withChart && this.how.form === 'mail' ? await this.chartOf(run) : undefined;
		const fields = Object.entries(this.ctx.getInputData()[itemIndex]?.binary ?? {}).filter(([field, { mimeType }]) => /^file_\d+$/.test(field) && mimeType.startsWith('image/'));
		const made = [];
		for (const [field, file] of fields) made.push(await this.read(itemIndex, field, file));
		const pictures: ReportPicture[] = [];
		for (const picture of [...(chart ? [chart] : []), ...made]) {
			this.count += 1;
			const address = await this.address(picture, `picture_${this.count}`);
			pictures.push({ name: picture.name, ...(address !== undefined && { address }) });
		}
		return pictures;
	}

	private async read(itemIndex: number, field: string, { mimeType, fileName }: IBinaryData): Promise<Picture> {
		const bytes = await this.ctx.helpers.getBinaryDataBuffer(itemIndex, field);
		const picture = { name: fileName ?? field, mediaType: mimeType.split(';')[0] ?? mimeType, bytes };
		// Mail programs show no SVG.
		return this.how.form === 'mail' && picture.mediaType === 'image/svg+xml' ? await asPng(picture) : picture;
	}

	private async chartOf(run: RunReport): Promise<Picture | undefined> {
		const words = wordsOf(this.how.language);
		const svg = stepChart(run, words, PLAIN_COLOURS);
		return svg === '' ? undefined : await asPng({ name: `${words.tokensPerStep}.svg`, mediaType: 'image/svg+xml', bytes: Buffer.from(svg) });
	}

	private async address({ name, mediaType, bytes }: Picture, field: string): Promise<string | undefined> {
		if (this.how.attach) {
			this.attached[field] = await this.ctx.helpers.prepareBinaryData(bytes, name, mediaType);
			return `cid:${field}`;
		}
		if (bytes.length > MOST_BYTES || this.inside + bytes.length > MOST_BYTES_IN_ALL) return undefined;
		this.inside += bytes.length;
		return `data:${mediaType};base64,${bytes.toString('base64')}`;
	}
}

async function asPng({ name, bytes }: Picture): Promise<Picture> {
	return { name: name.replace(/\.svg$/i, '.png'), mediaType: 'image/png', bytes: await toPng(bytes.toString('utf8')) };
}
