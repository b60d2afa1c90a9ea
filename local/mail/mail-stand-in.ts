import { Hono } from 'hono'
import { html } from 'hono/html'
import type { Mail, Mailer } from '#worker/ports/mailer.ts'

/** Where kept mails are shown. */
export const MAIL_PATH = '/__mail/'

/** Mails that are kept; older ones go. */
const KEPT = 200

/** The stand-in's own table beside the product's. It is no migration, because migrations reach production. */
const TABLE = `CREATE TABLE IF NOT EXISTS local_mails (
  id INTEGER PRIMARY KEY, recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, sent_at TEXT NOT NULL)`

/** Keeps mails on this machine instead of sending them. */
export function mailStandIn(d1: D1Database, origin: string): Mailer {
  return {
    origin,
    async send({ to, subject, text }) {
      await d1.batch([
        d1.prepare(TABLE),
        d1
          .prepare('INSERT INTO local_mails (recipient, subject, body, sent_at) VALUES (?, ?, ?, ?)')
          .bind(to, subject, text, new Date().toISOString()),
        d1.prepare(`DELETE FROM local_mails WHERE id <= (SELECT max(id) FROM local_mails) - ${KEPT}`),
      ])
    },
  }
}

interface KeptMail extends Mail {
  sentAt: string
}

/** Lists the mails that are kept, the newest first. */
export async function listMails(d1: D1Database): Promise<KeptMail[]> {
  const query = `SELECT recipient AS "to", subject, body AS text, sent_at AS sentAt FROM local_mails ORDER BY id DESC`
  const [, mails] = await d1.batch<KeptMail>([d1.prepare(TABLE), d1.prepare(query)])
  return mails?.results ?? []
}

const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cache-control': 'no-store',
}

/** The page of the mails. It shows them to whoever opens it, so it may be mounted for local runs only. */
export function mailPage(d1: D1Database): Hono {
  return new Hono()
    .get(`${MAIL_PATH}mails.json`, async (c) => c.json(await listMails(d1), 200, HEADERS))
    .get(MAIL_PATH, async (c) => c.html(writePage(await listMails(d1)), 200, HEADERS))
}

function writePage(mails: readonly KeptMail[]) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width" />
        <title>Mails on this machine</title>
        <style>
          :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
          body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
          article { border: 1px solid; border-radius: 0.5rem; padding: 1rem; margin-top: 1rem; overflow-wrap: anywhere; }
          h2 { font-size: 1rem; margin: 0; }
          pre { font: inherit; white-space: pre-wrap; margin: 1rem 0 0; }
        </style>
      </head>
      <body>
        <h1>Mails on this machine</h1>
        <p>Nothing leaves it: what Adapt would send is kept here.</p>
        ${mails.length === 0 ? html`<p>No mail yet.</p>` : ''}
        ${mails.map(
          ({ to, subject, text, sentAt }) =>
            html`<article>
              <h2>${subject}</h2>
              <p>${to} · <time>${sentAt}</time></p>
              <pre dir="auto">${text}</pre>
            </article>`,
        )}
      </body>
    </html>`
}
