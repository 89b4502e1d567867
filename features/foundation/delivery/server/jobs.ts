import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { deleteOlderThan } from '#base/server/database/data-retention.ts'
import { transact, type Database, type Db } from '#base/server/database/database.ts'
import { processQueue } from '#base/server/outbound/fair-queue.ts'
import { featuresOf } from '#base/server/feature.ts'
import type { Job } from '#base/server/jobs/jobs.ts'
import type { Log } from '#base/server/log.ts'
import type { Language } from '#base/server/words.ts'
import { channels, type Channel, type Template } from '#delivery/contract.ts'
import { contentOf, sendJob } from '#delivery/server/delivery.ts'
import { emailProvider, smsProvider, type ProviderEndpoints } from '#delivery/server/configured-provider.ts'
import type { Outcome, Provider } from '#delivery/server/provider.ts'
import { asEmail, asText, isTemplate, templates, type ComposedContent, type Composer, type Values } from '#delivery/server/templates.ts'
import { isSample, sampleComposed } from '#delivery/server/samples.ts'
import * as unreached from '#delivery/server/undeliverable.ts'
import { wordingOf } from '#delivery/server/wording.ts'
import * as setting from '#setting/server/setting.ts'

/** One provider gets at most half of the slots, so that text messages are sent while the mail server does not answer. */
const limits = { atOnce: 8, perHost: 4 }
const mostListed = 100
/** Longer than any provider's timeout: the claim of a crashed process expires. */
const claimSeconds = 300
const maxWaitSeconds = 2 * 3_600

type SenderContext = { database: Database; log: Log }

const purge: Job = {
  name: 'delivery-forget',
  cron: '41 * * * *',
  async run({ database: { app } }) {
    const { deliveryDays } = await setting.all(app)
    await deleteOlderThan(app, 'delivery', 'made_at', deliveryDays)
  },
}

declare module '#base/server/feature.ts' {
  interface Feature {
    /** Makes the content of an e-mail when it is sent, for templates that list what is new by then. */
    readonly composers?: Partial<Record<Template, Composer>>
  }
}

export const jobs: readonly Job[] = [{ ...sendJob, cron: '* * * * *', run: (ground) => sendAll(ground) }, purge]

type Due = { id: string; channel: Channel }

/** Sends all that is due. Of several processes, each takes what no other has taken. */
export async function sendAll(context: SenderContext, desks?: ProviderEndpoints): Promise<void> {
  await processQueue<Due>(
    {
      list: () => dueOf(context.database),
      hostsOf: ({ channel }) => [channel],
      async work(due) {
        const one = await claim(context.database, due)
        if (one) await sendOne(context, one, desks)
      },
    },
    limits,
  )
}

// Some of each channel, so that a long queue of one does not delay the others.
async function dueOf({ app }: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select due.id, channel from unnest(${[...channels]}::text[]) as channels (channel), lateral (
      select id, next_at from delivery where delivery.channel = channels.channel and state = 'waiting' and next_at <= now()
      order by next_at limit ${mostListed}) as due
    order by next_at`.execute(app)
  return rows
}

type ClaimedMessage = NonNullable<Awaited<ReturnType<typeof claim>>>

// No transaction is open during the request.
function claim(database: Database, { id }: Due) {
  return transact(database, async (tx) => {
    const { rows } = await sql`
      select from delivery where id = ${id} and state = 'waiting' and next_at <= now() for update skip locked`.execute(tx)
    if (rows.length === 0) return null
    return tx
      .updateTable('delivery')
      .set({ tries: sql`tries + 1`, next_at: sql<Date>`now() + ${claimSeconds} * interval '1 second'` })
      .where('id', '=', id)
      .returning([
        'id',
        'effect_key',
        'channel',
        'template',
        'language',
        'shown_as',
        'content',
        'tries',
        sql<boolean>`useless_at <= now()`.as('isLate'),
      ])
      .executeTakeFirstOrThrow()
  })
}

async function sendOne(
  { database: { app }, log }: SenderContext,
  message: ClaimedMessage,
  desks: ProviderEndpoints | undefined,
): Promise<void> {
  if (message.isLate) return settle(app, message, 'failed', { error: 'It came too late to be of use', failed_at: new Date() })
  const { by, outcome } = await attempt(app, message, desks)
  const { channel, template, shown_as: to } = message
  if (outcome === 'needless') return settle(app, message, 'dropped', { error: null })
  if (outcome.is === 'sent') {
    log.info({ channel, template, to, by }, 'A message was sent')
    return settle(app, message, 'sent', { sent_by: by, sent_as: outcome.as, error: null })
  }
  if (outcome.is === 'unsent') {
    log.info({ channel, template, to }, by === 'outbox' ? 'A message lies in the outbox' : 'A message was not sent: no provider is set')
    return settle(app, message, 'unsent', { sent_by: by, error: null })
  }
  const error = outcome.why.slice(0, 300)
  log.warn({ channel, template, to, by, error }, 'A message could not be sent')
  if (outcome.is === 'never' && outcome.isUnknownAddress && message.content)
    await unreached.markUndeliverable(app, contentOf({ effect_key: message.effect_key, content: message.content }).to)
  if (outcome.is === 'never') return settle(app, message, 'refused', { sent_by: by, error, failed_at: new Date() })
  const wait = Math.min(30 * 3 ** (message.tries - 1), maxWaitSeconds)
  await app
    .updateTable('delivery')
    .set({ next_at: sql<Date>`now() + ${wait} * interval '1 second'`, sent_by: by, error, failed_at: new Date() })
    .where('id', '=', message.id)
    .where('tries', '=', message.tries)
    .execute()
}

type Attempt = { by: string; outcome: Outcome | 'needless' }

async function attempt(db: Db, message: ClaimedMessage, desks: ProviderEndpoints | undefined): Promise<Attempt> {
  const { channel, language, template, effect_key, content } = message
  if (!content || !isTemplate(template)) return { by: '', outcome: { is: 'never', why: `Nothing is known of ${template}` } }
  const { to, values } = contentOf({ effect_key, content })
  const key = createHash('sha256').update(effect_key).digest('hex').slice(0, 32)
  const filled = { template, language, values, site: (await setting.all(db)).title, wording: await wordingOf(db, template, language) }
  if (channel === 'email') {
    const provider = await emailProvider(db).catch(brokenProvider)
    const composed = await composedOf(db, { template, values, language })
    if (!composed && 'isComposed' in templates[template]) return { by: provider.name, outcome: 'needless' }
    return { by: provider.name, outcome: await outcomeOf(provider.send({ to, key, ...asEmail(filled, composed) })) }
  }
  const provider = await smsProvider(db, { template, language }, desks).catch(brokenProvider)
  return { by: provider.name, outcome: await outcomeOf(provider.send({ to, key, template, values, language, text: asText(filled) })) }
}

// The settings were sealed with another key, and cannot be read here.
function brokenProvider(error: unknown): Provider<unknown> {
  return {
    name: '',
    async send() {
      throw error
    },
  }
}

type MessageContent = { template: Template; values: Values; language: Language }

async function composedOf(db: Db, { template, values, language }: MessageContent): Promise<ComposedContent | null> {
  if (isSample(values)) return 'isComposed' in templates[template] ? sampleComposed(language) : null
  const composer = featuresOf(db).find(({ composers }) => composers?.[template])?.composers?.[template]
  return composer?.(db, values, language) ?? null
}

// The failure of one message, such as an invalid sender address, does not affect the others; staff see the reason.
async function outcomeOf(sending: Promise<Outcome>): Promise<Outcome> {
  try {
    return await sending
  } catch (error) {
    return { is: 'later', why: error instanceof Error ? error.message : String(error) }
  }
}

// A process that claimed the message meanwhile settles it, and only one does.
async function settle(
  db: Db,
  { id }: ClaimedMessage,
  state: 'sent' | 'unsent' | 'refused' | 'failed' | 'dropped',
  details: { error: string | null; sent_by?: string; sent_as?: string | null; failed_at?: Date },
): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state, content: null, settled_at: sql<Date>`now()`, ...details })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}
