import type { Db } from '#base/server/database/database.ts'
import { readEnvelopes, type SampleEnvelope } from '#database/sample/envelopes.ts'
import type { People } from '#database/seed/document.ts'
import { required } from '#database/seed/required.ts'
import { speaker, type Seeds } from '#database/seed/post.ts'
import { claim } from '#red-envelope/server/claim.ts'
import { endLocked } from '#red-envelope/server/end.ts'
import { open } from '#red-envelope/server/give.ts'
import { lock, payBatch, type Envelope } from '#red-envelope/server/pay.ts'
import { parseAmount, toMinor, type Minor } from '#wallet/contract.ts'

/** Sample members give red envelopes, and others open some of them; like bounties, they start when the forum does. */
export async function giveEnvelopes(tx: Db, { sample, hasCash }: Seeds, people: People): Promise<void> {
  for (const [number, envelope] of readEnvelopes().entries()) {
    // A forum without a balance has no envelopes in money.
    if (envelope.yuan !== undefined && !hasCash) continue
    const title = sample.topics.find(({ slug }) => slug === envelope.topic)?.title
    if (envelope.topic && !title) throw new Error(`The sample gives a red envelope with ${envelope.topic}, which is no topic`)
    const id = await give(tx, envelope, { people, title, number })
    for (const account of envelope.openedBy) await claim(tx, speaker(people, account), id)
    await payBatch(tx, await locked(tx, id))
    if (envelope.isOver) await endLocked(tx, await locked(tx, id), 'expired')
  }
}

type EnvelopeContext = { people: People; title: string | undefined; number: number }

async function give(tx: Db, envelope: SampleEnvelope, { people, title, number }: EnvelopeContext): Promise<string> {
  const { kind, quantity, cover, greeting, onlyCommented } = envelope
  const giverId = required(people, envelope.giver).id
  const receiverId = envelope.receiver ? required(people, envelope.receiver).id : null
  const currency = envelope.yuan === undefined ? 'points' : 'cny'
  const typed = amountOf(envelope)
  const amount = toMinor(kind === 'fixed' ? typed * BigInt(quantity) : typed)
  const topic = title && (await tx.selectFrom('topic').select('id').where('title', '=', title).executeTakeFirstOrThrow())
  const { id } = await tx
    .insertInto('red_envelope')
    .values({
      giver_id: giverId,
      kind,
      receiver_id: receiverId,
      topic_id: topic ? topic.id : null,
      currency,
      amount: String(amount),
      quantity,
      greeting,
      cover,
      conditions: JSON.stringify(onlyCommented ? { commented: true } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await open(tx, { id, giverId, kind, currency, amount, quantity, receiverId }, drawnFrom(number))
  return id
}

function amountOf({ giver, points, yuan }: SampleEnvelope): Minor {
  const amount = yuan === undefined ? parseAmount('points', points ?? '') : parseAmount('cny', yuan)
  if (amount === null) throw new Error(`The sample lets ${giver} give no amount`)
  return amount
}

async function locked(tx: Db, id: string): Promise<Envelope> {
  const envelope = await lock(tx, id, 'waits')
  if (!envelope) throw new Error('A red envelope of the sample is not there')
  return envelope
}

/** Draws the same for the same number, so that every sample has the same shares. */
function drawnFrom(number: number): (below: number) => number {
  let state = number + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}
