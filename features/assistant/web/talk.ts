import type { ask, conversation, goOn, Piece } from '#assistant/contract.ts'
import { bringDraft, draft, forgetDrafts, takeBack, wasTaken, write } from '#assistant/web/draft.ts'
import { isStop, saidOf } from '#assistant/web/failure.ts'
import { gathering, keptTurn, newTurn, withPiece, type Turn } from '#assistant/web/turn.ts'
import { onMemberLogout } from '#account/web/account.tsx'
import { assistantIsOpen } from '#base/web/assistant.ts'
import type { BrowserApi, StreamReader } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { storeOf } from '#base/web/store.ts'
import type { Say } from '#base/web/words.tsx'

/** The conversation in the panel. It outlives the panel, and the page on which it was opened. */
type Talk = { conversationId: string | null; turns: readonly Turn[]; isLoading: boolean; failure: string | null }

const nothingSaid: Talk = { conversationId: null, turns: [], isLoading: false, failure: null }
export const talk = storeOf<Talk>(nothingSaid)

/** The API of the assistant, and the words for errors. */
export type Means = { api: BrowserApi; words: Say }

let running: AbortController | null = null
const place = 'assistantConversation'

onMemberLogout(() => {
  assistantIsOpen.set(false)
  show(nothingSaid)
  forgetDrafts()
})

export function stop(): void {
  running?.abort()
}

/** Begins a new conversation with the next question. */
export function beginTalk(): void {
  show(nothingSaid)
}

/** Puts a question into the box for the reader to send: in a new conversation, unless an answer is running. */
export function propose(prompt: string): void {
  if (!talk.get().turns.some(({ isHere }) => isHere)) beginTalk()
  const since = draft.get().text
  if (!since.includes(prompt)) write(talk.get().conversationId, since ? `${since}\n\n${prompt}` : prompt)
  assistantIsOpen.set(true)
}

/** Restores the conversation that was shown before the page was reloaded, if any. */
export function goOnWithLast(means: Means): void {
  const last = lastShown()
  if (last && talk.get().conversationId === null) void openTalk(means, last)
  else if (!last) bringDraft(null)
}

export async function openTalk({ api, words }: Means, conversationId: string): Promise<void> {
  if (talk.get().conversationId !== conversationId) show({ ...nothingSaid, conversationId, isLoading: true })
  const isShown = () => talk.get().conversationId === conversationId
  try {
    const { turns } = await api.read<typeof conversation>('/assistant/conversation', { conversationId }, { silent: true })
    if (isShown()) talk.set({ conversationId, turns: turns.map((turn) => keptTurn(turn)), isLoading: false, failure: null })
  } catch (error) {
    if (isShown()) talk.set({ ...talk.get(), isLoading: false, failure: saidOf(error, words) })
  }
}

type Question = { prompt: string; topicId: string | null; inPlaceOf?: Turn | undefined }

/** Asks, optionally in place of a turn and later ones. A refused question returns to the box, and the turns stay as they were. */
export async function askIn(means: Means, { prompt, topicId, inPlaceOf }: Question): Promise<void> {
  const before = talk.get()
  const at = inPlaceOf ? before.turns.findIndex(({ key }) => key === inPlaceOf.key) : before.turns.length
  const turn = newTurn(prompt)
  talk.set({ ...before, turns: [...before.turns.slice(0, at), turn], failure: null })
  const input = {
    prompt,
    ...(before.conversationId && { conversationId: before.conversationId }),
    ...(inPlaceOf?.id && { turnId: inPlaceOf.id }),
    ...(topicId && { topicId }),
  }
  const failure = await follow(turn.key, (reading) => means.api.stream<typeof ask>('/assistant/ask', input, reading))
  const now = talk.get().turns.find(({ key }) => key === turn.key)
  if (!now) return
  if (now.id !== null) {
    settle(means, now, failure)
    if (inPlaceOf) stayWithout(before.turns, turn.key)
    return
  }
  const wrong = failure === null || isStop(failure) ? null : saidOf(failure, means.words)
  const isGone = failure instanceof CallFailed && failure.status === 404
  if (isGone) show(nothingSaid)
  else talk.set(before)
  takeBack(isGone ? null : before.conversationId, prompt, isGone ? null : (inPlaceOf?.key ?? null), wrong)
}

/** Restores the turns that a failed one should have replaced: the server keeps them, and it follows them. */
function stayWithout(before: readonly Turn[], key: string): void {
  const { turns, ...rest } = talk.get()
  const asked = turns.find((turn) => turn.key === key)
  if (asked?.answer === '') talk.set({ ...rest, turns: [...before, asked] })
}

/** Continues an answer that was stopped or broke off. An answer running elsewhere is shown as far as it is. */
export async function goOnWith(means: Means, turn: Turn): Promise<void> {
  if (turn.id === null) return
  const { id } = turn
  change(turn.key, () => ({ ...turn, state: 'running', isHere: true, failure: null }))
  const failure = await follow(turn.key, (reading) => means.api.stream<typeof goOn>('/assistant/continue', { turnId: id }, reading))
  const now = talk.get().turns.find(({ key }) => key === turn.key)
  const { conversationId } = talk.get()
  if (!now) return
  settle(means, now, failure)
  if (failure instanceof CallFailed && failure.status === 409 && conversationId) await openTalk(means, conversationId)
}

/** Makes a streamed call and renders its pieces. Returns its error. */
async function follow(key: string, call: (reading: StreamReader<Piece>) => Promise<void>): Promise<unknown> {
  running?.abort()
  const control = new AbortController()
  running = control
  const { tell, flush } = gathering((pieces) => {
    for (const { kind, conversationId } of pieces) if (kind === 'begun' && conversationId) begun(key, conversationId)
    change(key, (turn) => pieces.reduce(withPiece, turn))
  })
  try {
    await call({ onPiece: tell, signal: control.signal })
    return null
  } catch (error) {
    return error
  } finally {
    flush()
    if (running === control) running = null
  }
}

function begun(key: string, conversationId: string): void {
  const { conversationId: from, ...shown } = talk.get()
  if (!shown.turns.some((turn) => turn.key === key)) return
  talk.set({ ...shown, conversationId })
  wasTaken(from, conversationId)
  remember(conversationId)
}

function settle({ words }: Means, turn: Turn, failure: unknown): void {
  const isEnded = turn.state !== 'running'
  const wrong = failure === null || isStop(failure) ? null : saidOf(failure, words)
  change(turn.key, (now) => ({ ...now, isHere: false, looking: null, ...(!isEnded && ended(wrong)) }))
}

function ended(wrong: string | null): Pick<Turn, 'state' | 'failure'> {
  return wrong === null ? { state: 'stopped', failure: null } : { state: 'failed', failure: wrong }
}

function change(key: string, to: (turn: Turn) => Turn): void {
  const { turns, ...rest } = talk.get()
  talk.set({ ...rest, turns: turns.map((turn) => (turn.key === key ? to(turn) : turn)) })
}

/** Stops the stream of the shown conversation. The server keeps the partial answer. */
function show(next: Talk): void {
  stop()
  talk.set(next)
  bringDraft(next.conversationId)
  remember(next.conversationId)
}

function lastShown(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null // storage unavailable
  }
}

function remember(conversationId: string | null): void {
  try {
    if (conversationId === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, conversationId)
  } catch {
    // storage unavailable: it holds for this page
  }
}
