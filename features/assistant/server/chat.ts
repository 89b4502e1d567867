import { sql } from 'kysely'
import type { ModelMessage } from 'ai'
import { NoModel, StillRunning, type ask, type goOn, type Piece, type SourceView } from '#assistant/contract.ts'
import { allowing, soundMarkdown } from '#assistant/links.ts'
import { mustBeAllowed, mustStillBeAllowed } from '#assistant/server/allowed.ts'
import { countAnswer } from '#assistant/server/counts.ts'
import { mustOwn, turnById } from '#assistant/server/conversations.ts'
import { Sources, toolsFor } from '#assistant/server/forum.ts'
import { chatInstructions } from '#assistant/server/instructions.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { gathered, run, type Run } from '#assistant/server/run.ts'
import { attach, isBeingWritten, reserve, settle, tokensIn } from '#assistant/server/usage.ts'
import { Missing, Refusal, type Taken } from '#base/contract.ts'
import { dayAt } from '#base/server/calendar.ts'
import { transact, type Database, type Db } from '#base/server/database.ts'
import type { From, Member, Pieces } from '#base/server/route.ts'
import { ReaderLeft } from '#base/server/stream.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

type Turn = { id: string; conversationId: string; prompt: string; topicId: string | null; before: string }

/** Begins a turn of a conversation. In place of a turn that is named, and of those after it; without a conversation in a new one. */
export async function begin(tx: Db, member: Member, asked: Taken<typeof ask>, from: From): Promise<Pieces<Piece>> {
  await mustBeReady(tx, member)
  const { prompt, topicId = null } = asked
  if (topicId !== null) await posts.findThread(tx, member, topicId)
  const conversationId = asked.conversationId
    ? (await mustOwn(tx, member, asked.conversationId)).id
    : await newConversation(tx, member.id, prompt, topicId)
  if (asked.turnId)
    await tx.deleteFrom('assistant_turn').where('conversation_id', '=', conversationId).where('id', '>=', asked.turnId).execute()
  const useId = await reserve(tx, member.id, 'chat')
  const { id } = await tx
    .insertInto('assistant_turn')
    .values({ conversation_id: conversationId, prompt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await attach(tx, useId, id)
  await sql`update assistant_conversation set updated_at = clock_timestamp() where id = ${conversationId}`.execute(tx)
  return answerTo({ id, conversationId, prompt, topicId, before: '' }, useId, from)
}

/** Goes on with an answer that was stopped, or broke off. */
export async function resume(tx: Db, member: Member, { turnId }: Taken<typeof goOn>, from: From): Promise<Pieces<Piece>> {
  await mustBeReady(tx, member)
  const { rows } = await sql<Turn & { state: string; isCutOff: boolean }>`
    select turn.id::text, conversation_id::text as "conversationId", prompt, topic_id::text as "topicId", answer as before, state,
      not ${isBeingWritten(sql`turn.id`)} as "isCutOff"
    from assistant_turn as turn join assistant_conversation as conversation on conversation.id = conversation_id
    where turn.id = ${turnId} and member_id = ${member.id} for no key update of turn`.execute(tx)
  const [turn] = rows
  if (!turn) throw Missing()
  if (turn.state === 'running' && !turn.isCutOff) throw StillRunning()
  const useId = await reserve(tx, member.id, 'chat')
  await attach(tx, useId, turnId)
  await sql`update assistant_turn set state = 'running', failure = null, ended_at = null where id = ${turnId}`.execute(tx)
  return answerTo(turn, useId, from)
}

async function mustBeReady(tx: Db, member: Member): Promise<void> {
  await mustBeAllowed(tx, member)
  if ((await modelsFor(tx, 'chat')).length === 0) throw NoModel()
}

const titleLength = 60

async function newConversation(tx: Db, memberId: string, prompt: string, topicId: string | null): Promise<string> {
  const title = prompt.replaceAll(/\s+/g, ' ').trim().slice(0, titleLength)
  const { id } = await tx
    .insertInto('assistant_conversation')
    .values({ member_id: memberId, title, topic_id: topicId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const keptEveryMs = 5_000

function answerTo(turn: Turn, useId: string, from: From): Pieces<Piece> {
  return async function* ({ database, signal, viewerNow }) {
    const fresh: SourceView[] = []
    const sources = new Sources((source) => fresh.push(source))
    const its: Run = { model: null, tokens: { input: 0, cached: 0, output: 0, isEstimated: true } }
    let answer = turn.before
    let end: Ended = { state: 'stopped', failure: null }
    const { messages, isAllowed } = await before(database, turn)
    const allowed = () => allowing([...isAllowed.sources, ...sources.all], isAllowed.prompts)
    const kept = () => soundMarkdown(answer, allowed())
    try {
      yield { kind: 'begun', conversationId: turn.conversationId, turnId: turn.id }
      const viewer = async () => mustStillBeAllowed(database.app, await viewerNow())
      const wanted = {
        job: 'chat' as const,
        instructions: await instructionsFor(database, turn, from),
        messages,
        tools: toolsFor({ database, viewer, sources }),
        mustGoOn: async () => void (await viewer()),
      }
      its.tokens.input = tokensIn(JSON.stringify(messages))
      let keptAt = Date.now()
      for await (const event of gathered(run({ database, signal }, wanted, its))) {
        for (const source of fresh.splice(0)) yield { kind: 'source', source }
        if (event.kind === 'calls') yield { kind: 'looking', text: whatFor(event.input) }
        if (event.kind !== 'text') continue
        answer += event.text
        yield { kind: 'text', text: event.text }
        if (Date.now() - keptAt < keptEveryMs) continue
        await keep(database, turn.id, kept(), sources.all, null)
        keptAt = Date.now()
      }
      end = { state: 'finished', failure: null }
    } catch (error) {
      end = endOf(error, signal)
    } finally {
      countAnswer(end.state)
      await keep(database, turn.id, kept(), sources.all, { ...end, isStandIn: its.model?.isStandIn ?? false })
      await settle(database.app, useId, its.model, its.tokens)
    }
    yield { kind: 'turn', turn: await turnById(database.app, turn.id, from.language) }
  }
}

type Ended = { state: 'finished' | 'stopped' | 'failed'; failure: string | null }

// Faults of ours are thrown on, once what had come is kept.
function endOf(error: unknown, signal: AbortSignal): Ended {
  if (signal.reason instanceof ReaderLeft) return { state: 'stopped', failure: null }
  const refusal = signal.aborted ? signal.reason : error
  if (refusal instanceof Refusal) return { state: 'failed', failure: refusal.kind.code }
  throw error
}

async function instructionsFor({ app }: Database, { topicId }: Turn, { language }: From): Promise<string> {
  const { title, timeZone } = await setting.all(app)
  return chatInstructions(app, { site: title, language, today: dayAt(Date.now(), timeZone), topicId })
}

const goOnWords = 'Continue exactly where you stopped. Repeat nothing.'
const mostOfHistory = 20

/** The turns before this one, and where their answers may lead. */
async function before({ app }: Database, turn: Turn) {
  const rows = await app
    .selectFrom('assistant_turn')
    .select(['id', 'prompt', 'answer', 'sources'])
    .where('conversation_id', '=', turn.conversationId)
    .where('id', '<=', turn.id)
    .orderBy('id', 'desc')
    .limit(mostOfHistory)
    .execute()
  const messages: ModelMessage[] = rows
    .reverse()
    .flatMap(({ prompt, answer }): ModelMessage[] => [
      { role: 'user', content: prompt },
      ...(answer === '' ? [] : [{ role: 'assistant' as const, content: answer }]),
    ])
  if (turn.before !== '') messages.push({ role: 'user', content: goOnWords })
  const isAllowed = { sources: rows.flatMap(({ sources }) => sources as SourceView[]), prompts: rows.map(({ prompt }) => prompt) }
  return { messages, isAllowed }
}

function whatFor(input: unknown): string {
  const { query, topicId } = input as { query?: string; topicId?: string }
  return query ?? (topicId ? `#${topicId}` : '')
}

async function keep(
  database: Database,
  turnId: string,
  answer: string,
  sources: readonly SourceView[],
  ended: (Ended & { isStandIn: boolean }) | null,
): Promise<void> {
  await transact(database, (tx) =>
    tx
      .updateTable('assistant_turn')
      .set({ answer, sources: JSON.stringify(sources) })
      .$if(ended !== null, (query) =>
        query.set({
          state: ended?.state ?? 'stopped',
          failure: ended?.failure ?? null,
          is_stand_in: ended?.isStandIn ?? false,
          ended_at: sql`clock_timestamp()`,
        }),
      )
      .where('id', '=', turnId)
      .execute(),
  )
}
