import { readFile } from '../../lib/rag/readers/read-file';

const read = async (lines: readonly string[], name = 'mail.eml') =>
	await readFile({ bytes: Buffer.from(lines.join('\r\n'), 'latin1'), mediaType: '', name });
const head = ['From: =?utf-8?q?Ren=C3=A9e?= <renee@usine.fr>', 'To: atelier@usine.fr', 'Cc: Chef <chef@usine.fr>', 'Date: Tue, 31 Mar 2026 10:00:00 +0200', 'Subject: =?iso-8859-1?Q?Pompe_N-92c_arr=EAt=E9e?='];

describe('an e-mail', () => {
	it('is read with its subject as title, people and date in front, accents decoded', async () => {
		const mail = await read([...head, 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: quoted-printable', '', 'La pompe est arr=EAt=E9e =', 'depuis midi.']);
		expect(mail.title).toBe('Pompe N-92c arrêtée');
		expect(mail.text).toBe('From: Renée <renee@usine.fr>\nTo: atelier@usine.fr, Chef <chef@usine.fr>\nDate: 2026-03-31T08:00:00.000Z\n\nLa pompe est arrêtée depuis midi.');
	});

	it('is read from its HTML when it has no text, and names its attachments', async () => {
		const mail = await read([
			...head,
			'MIME-Version: 1.0',
			'Content-Type: multipart/mixed; boundary="b"',
			'',
			'--b',
			'Content-Type: text/html; charset=utf-8',
			'',
			'<html><body><h1>Panne</h1><p>Changer le <b>joint</b>.</p><script>x()</script></body></html>',
			'--b',
			'Content-Type: application/pdf; name="plan.pdf"',
			'Content-Disposition: attachment; filename="plan.pdf"',
			'Content-Transfer-Encoding: base64',
			'',
			'JVBERi0=',
			'--b--',
		]);
		expect(mail.text).toContain('# Panne\n\nChanger le joint.');
		expect(mail.text).not.toContain('x()');
		expect(mail.notes).toEqual(['Attachments are not read: plan.pdf']);
	});

	it('without any text is an error, and a broken one is read as far as it goes', async () => {
		await expect(read(['From: a@b.c', '', ''])).rejects.toMatchObject({ code: 'BAD_INPUT', message: '"mail.eml" has no text' });
		expect((await read(['Content-Type: multipart/mixed; boundary="b"', 'Subject: s', '', '--b', 'Content-Type: text/plain', '', 'half'])).text).toContain('half');
	});

	it('is known by its media type too', async () => {
		const mail = await readFile({ bytes: Buffer.from('Subject: s\r\n\r\nLe texte'), mediaType: 'message/rfc822', name: '' });
		expect(mail).toEqual({ text: 'Le texte', title: 's' });
	});
});
