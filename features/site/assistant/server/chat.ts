import { sql } from 'kysely'
import { NoModel, StillRunning, type ask, type goOn, type LeftOut, type Piece, type SourceView } from '#assistant/contract.ts'
import { allowSources } from '#assistant/links.ts'
import { mustBeAllowed, mustStillBeAllowed } from '#assistant/server/allowed.ts'
import { answerMarkdown } from '#assistant/server/answer-text.ts'
import { countAnswer } from '#assistant/server/counts.ts'
import { mustOwn, turnById } from '#assistant/server/conversations.ts'
import { Sources } from '#assistant/server/forum.ts'
import { keepAlive } from '#assistant/server/heartbeat.ts'
import { historyOf, type History } from '#assistant/server/history.ts'
import { chatInstructions } from '#assistant/server/instructions.ts'
import { modelsFor } from '#assistant/server/models.ts'
import { run, type Run } from '#assistant/server/run.ts'
import type { Event } from '#assistant/server/text-batching.ts'
import { lookUpFor, toolsFor } from '#assistant/server/tools.ts'
import { Unread } from '#assistant/server/unread.ts'
import { linkTurn, isBeingWritten, reserve, settle } from '#assistant/server/usage.ts'
import { Missing, Refusal, type RefusalValues, type ParsedInput } from '#base/contract.ts'
import { faultCode } from '#base/server/http/refuse.ts'
import { dayAt } from '#base/server/calendar.ts'
import { anyOf, transact, type Database, type Db } from '#base/server/database/database.ts'
import type { ClientInfo, Member, StreamBody } from '#base/server/http/route.ts'
import { ClientDisconnected } from '#base/server/http/stream.ts'
import { asMember } from '#message/server/message.ts'
import * as posts from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'

type Pieces = StreamBody<Piece>

type Turn = {
  id: string
  conversationId: string
  memberId: string
  prompt: string
  topicId: string | null
  /** The answer so far, and its sources. */
  before: string
  sources: SourceView[]
  leftOut: readonly LeftOut[]
  /** The turns that this one replaces, once it has text. */
  replaces: readonly string[]
}

/** Begins a turn of a conversation. Replaces the given turn and later ones; without a conversation, begins a new one. */
export async function begin(tx: Db, member: Member, input: ParsedInput<typeof ask>, client: ClientInfo): Promise<Pieces> {
  await mustBeReady(tx, member)
  const { prompt, topicId = null } = input
  if (topicId !== null) await posts.findThread(tx, member, topicId)
  const own = input.conversationId ? await mustOwn(tx, member, input.conversationId) : null
  const replaces = input.turnId ? await fromTurnOn(tx, own?.id ?? null, input.turnId) : []
  const conversationId = own?.id ?? (await newConversation(tx, member.id, prompt, topicId))
  const useId = await reserve(tx, member.id, 'chat')
  const { id } = await tx
    .insertInto('assistant_turn')
    .values({ conversation_id: conversationId, prompt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await linkTurn(tx, useId, id)
  await sql`update assistant_conversation set updated_at = clock_timestamp() where id = ${conversationId}`.execute(tx)
  return answerTo(
    { id, conversationId, memberId: member.id, prompt, topicId, before: '', sources: [], leftOut: [], replaces },
    useId,
    client,
  )
}

/** A turn and the later ones of its conversation; refused while one of them is still being written. */
async function fromTurnOn(tx: Db, conversationId: string | null, turnId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('assistant_turn')
    .select(['id', isRunning('assistant_turn').as('isRunning')])
    .where('conversation_id', '=', conversationId)
    .where('id', '>=', turnId)
    .execute()
  if (!rows.some(({ id }) => id === turnId)) throw Missing()
  if (rows.some((row) => row.isRunning)) throw StillRunning()
  return rows.map(({ id }) => id)
}

function isRunning(turn: string) {
  return sql<boolean>`(${sql.ref(`${turn}.state`)} = 'running' and ${isBeingWritten(sql.ref(`${turn}.id`))})`
}

/** Continues an answer that was stopped or broke off. */
export async function resume(tx: Db, member: Member, { turnId }: ParsedInput<typeof goOn>, client: ClientInfo): Promise<Pieces> {
  await mustBeReady(tx, member)
  const { rows } = await sql<Omit<Turn, 'replaces'> & { isRunning: boolean }>`
    select turn.id::text, conversation_id::text as "conversationId", member_id::text as "memberId", prompt, topic_id::text as "topicId",
      answer as before, sources, left_out as "leftOut", ${isRunning('turn')} as "isRunning"
    from assistant_turn as turn join assistant_conversation as conversation on conversation.id = conversation_id
    where turn.id = ${turnId} and member_id = ${member.id} for no key update of turn`.execute(tx)
  const [turn] = rows
  if (!turn) throw Missing()
  if (turn.isRunning) throw StillRunning()
  const useId = await reserve(tx, member.id, 'chat')
  await linkTurn(tx, useId, turnId)
  await sql`update assistant_turn set state = 'running', failure = null, failure_values = '{}', ended_at = null where id = ${turnId}`.execute(
    tx,
  )
  return answerTo({ ...turn, replaces: [] }, useId, client)
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

const saveEveryMs = 5_000

function answerTo(turn: Turn, useId: string, client: ClientInfo): Pieces {
  return async function* ({ database, signal, viewerNow }) {
    const newSources: SourceView[] = []
    const [unread, ended] = [new Unread(turn.leftOut), keepAlive(database, useId)]
    const sources = new Sources((source) => newSources.push(source), turn.sources)
    const its: Run = { model: null, tokens: { input: 0, cached: 0, output: 0, isEstimated: true } }
    let answer = turn.before
    let history: History = { messages: [], sources: [], prompts: [turn.prompt] }
    let end: TurnEnd = { state: 'stopped', code: null, values: {} }
    const partial = async (): Promise<Answer> => ({
      answer: await answerMarkdown(answer, allowSources([...history.sources, ...sources.all], history.prompts), sources.all),
      sources: sources.all,
      leftOut: unread.parts,
    })
    try {
      yield { kind: 'begun', conversationId: turn.conversationId, turnId: turn.id }
      history = await historyOf(database, turn, unread)
      const viewer = async () => mustStillBeAllowed(database.app, await viewerNow())
      const request = {
        job: 'chat' as const,
        instructions: await instructionsFor(database, turn, client),
        messages: history.messages,
        tools: await toolsFor({ database, viewer, sources, unread }),
        lookUp: lookUpFor({ database, viewer, sources, unread }, turn),
        mustGoOn: async () => void (await viewer()),
        onLeftOut: (what: LeftOut) => unread.leave(what),
      }
      let keptAt = Date.now()
      for await (const event of run({ database, signal }, request, its)) {
        for (const source of newSources.splice(0)) yield { kind: 'source', source }
        if (event.kind === 'restart') answer = turn.before
        if (event.kind === 'text') answer += event.text
        yield* piecesOf(event)
        if (event.kind !== 'text' || Date.now() - keptAt < saveEveryMs) continue
        await save(database, turn, await partial(), null)
        keptAt = Date.now()
      }
      end = { state: 'finished', code: null, values: {} }
    } catch (error) {
      end = endOf(error, signal)
      if (end.isFault) throw error
    } finally {
      ended()
      countAnswer(end.state)
      await close(database, { turn, useId, runState: its, partial, end })
    }
    yield { kind: 'turn', turn: await asMember(database.app, turn.memberId, (as) => turnById(as, turn.id, client.language)) }
  }
}

function piecesOf(event: Event): Piece[] {
  switch (event.kind) {
    case 'calls':
      return [{ kind: 'looking', text: purposeOf(event.input) }]
    case 'text':
      return [{ kind: 'text', text: event.text }]
    case 'waiting':
    case 'restart':
      return [{ kind: event.kind }]
    case 'called':
    case 'cut':
      return []
  }
}

type TurnClosing = { turn: Turn; useId: string; runState: Run; partial: () => Promise<Answer>; end: TurnEnd }

// The text comes first: unsettled usage is settled by a job later.
async function close(database: Database, { turn, useId, runState, partial, end }: TurnClosing): Promise<void> {
  try {
    await save(database, turn, await partial(), { ...end, isStandIn: runState.model?.isStandIn ?? false })
  } finally {
    await settle(database.app, useId, runState.model, runState.tokens)
  }
}

type TurnEnd = { state: 'finished' | 'stopped' | 'failed'; code: string | null; values: RefusalValues; isFault?: boolean }

// A bug is rethrown, after the partial answer was stored with an error for the reader.
function endOf(error: unknown, signal: AbortSignal): TurnEnd {
  const reason: unknown = signal.aborted ? signal.reason : error
  if (reason instanceof ClientDisconnected) return { state: 'stopped', code: null, values: {} }
  if (reason instanceof Refusal) return { state: 'failed', code: reason.kind.code, values: reason.values }
  return { state: 'failed', code: faultCode(reason), values: {}, isFault: true }
}

async function instructionsFor({ app }: Database, { topicId }: Turn, { language }: ClientInfo): Promise<string> {
  const { title, timeZone } = await setting.all(app)
  return chatInstructions(app, { site: title, language, today: dayAt(Date.now(), timeZone), topicId })
}

function purposeOf(input: unknown): string {
  const { query, topicId } = input as { query?: string; topicId?: string }
  return query ?? (topicId ? `#${topicId}` : '')
}

type Answer = { answer: string; sources: readonly SourceView[]; leftOut: LeftOut[] }

/** Stores the partial answer. A conversation deleted by its member stays deleted. */
async function save(database: Database, turn: Turn, partial: Answer, ended: (TurnEnd & { isStandIn: boolean }) | null): Promise<void> {
  const end = ended && {
    state: ended.state,
    failure: ended.code,
    failure_values: JSON.stringify(ended.values),
    is_stand_in: ended.isStandIn,
    ended_at: sql<Date>`clock_timestamp()`,
  }
  const { numUpdatedRows } = await transact(database, (tx) =>
    asMember(tx, turn.memberId, async (as) => {
      if (ended && partial.answer !== '') await as.deleteFrom('assistant_turn').where('id', '=', anyOf(turn.replaces)).execute()
      return as
        .updateTable('assistant_turn')
        .set({ answer: partial.answer, sources: JSON.stringify(partial.sources), left_out: partial.leftOut, ...end })
        .where('id', '=', turn.id)
        .executeTakeFirstOrThrow()
    }),
  )
  if (numUpdatedRows === 0n) throw Missing()
}
