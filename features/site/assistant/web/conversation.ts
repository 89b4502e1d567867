import type { ask, conversation, goOn, Piece } from '#assistant/contract.ts'
import { loadDraft, draft, clearDrafts, returnDraft, markAccepted, write } from '#assistant/web/draft.ts'
import { isStop, failureText } from '#assistant/web/failure.ts'
import { batchPieces, storedTurn, newTurn, withPiece, type Turn } from '#assistant/web/turn.ts'
import { onMemberLogout } from '#account/web/account.tsx'
import { assistantIsOpen } from '#base/web/assistant.ts'
import type { BrowserApi, StreamReader } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { createStore } from '#base/web/store.ts'
import type { Translate } from '#base/web/words.tsx'

/** The conversation in the panel. It outlives the panel, and the page on which it was opened. */
type ConversationState = { conversationId: string | null; turns: readonly Turn[]; isLoading: boolean; failure: string | null }

const emptyConversation: ConversationState = { conversationId: null, turns: [], isLoading: false, failure: null }
export const conversationState = createStore<ConversationState>(emptyConversation)

/** The API of the assistant, and the words for errors. */
export type ChatContext = { api: BrowserApi; words: Translate }

let running: AbortController | null = null
const storageKey = 'assistantConversation'

onMemberLogout(() => {
  assistantIsOpen.set(false)
  show(emptyConversation)
  clearDrafts()
})

export function stop(): void {
  running?.abort()
}

/** Begins a new conversation with the next question. */
export function newConversation(): void {
  show(emptyConversation)
}

/** Puts a question into the box for the reader to send: in a new conversation, unless an answer is running. */
export function propose(prompt: string): void {
  if (!conversationState.get().turns.some(({ isHere }) => isHere)) newConversation()
  const since = draft.get().text
  if (!since.includes(prompt)) write(conversationState.get().conversationId, since ? `${since}\n\n${prompt}` : prompt)
  assistantIsOpen.set(true)
}

/** Restores the conversation that was shown before the page was reloaded, if any. */
export function restoreLast(context: ChatContext): void {
  const last = lastShown()
  if (last && conversationState.get().conversationId === null) void openConversation(context, last)
  else if (!last) loadDraft(null)
}

export async function openConversation({ api, words }: ChatContext, conversationId: string): Promise<void> {
  if (conversationState.get().conversationId !== conversationId) show({ ...emptyConversation, conversationId, isLoading: true })
  const isShown = () => conversationState.get().conversationId === conversationId
  try {
    const { turns } = await api.read<typeof conversation>('/assistant/conversation', { conversationId }, { silent: true })
    if (isShown()) conversationState.set({ conversationId, turns: turns.map((turn) => storedTurn(turn)), isLoading: false, failure: null })
  } catch (error) {
    if (isShown()) conversationState.set({ ...conversationState.get(), isLoading: false, failure: failureText(error, words) })
  }
}

type Question = { prompt: string; topicId: string | null; inPlaceOf?: Turn | undefined }

/** Asks, optionally in place of a turn and later ones. A refused question returns to the box, and the turns stay as they were. */
export async function sendQuestion(context: ChatContext, { prompt, topicId, inPlaceOf }: Question): Promise<void> {
  const before = conversationState.get()
  const at = inPlaceOf ? before.turns.findIndex(({ key }) => key === inPlaceOf.key) : before.turns.length
  const turn = newTurn(prompt)
  conversationState.set({ ...before, turns: [...before.turns.slice(0, at), turn], failure: null })
  const input = {
    prompt,
    ...(before.conversationId && { conversationId: before.conversationId }),
    ...(inPlaceOf?.id && { turnId: inPlaceOf.id }),
    ...(topicId && { topicId }),
  }
  const failure = await readStream(turn.key, (reading) => context.api.stream<typeof ask>('/assistant/ask', input, reading))
  const now = conversationState.get().turns.find(({ key }) => key === turn.key)
  if (!now) return
  if (now.id !== null) {
    settle(context, now, failure)
    if (inPlaceOf) restoreReplaced(before.turns, turn.key)
    return
  }
  const wrong = failure === null || isStop(failure) ? null : failureText(failure, context.words)
  const isGone = failure instanceof CallFailed && failure.status === 404
  if (isGone) show(emptyConversation)
  else conversationState.set(before)
  returnDraft(isGone ? null : before.conversationId, prompt, isGone ? null : (inPlaceOf?.key ?? null), wrong)
}

/** Restores the turns that a failed one should have replaced: the server keeps them, and it follows them. */
function restoreReplaced(before: readonly Turn[], key: string): void {
  const { turns, ...rest } = conversationState.get()
  const failedTurn = turns.find((turn) => turn.key === key)
  if (failedTurn?.answer === '') conversationState.set({ ...rest, turns: [...before, failedTurn] })
}

/** Continues an answer that was stopped or broke off. An answer running elsewhere is shown as far as it is. */
export async function continueAnswer(context: ChatContext, turn: Turn): Promise<void> {
  if (turn.id === null) return
  const { id } = turn
  change(turn.key, () => ({ ...turn, state: 'running', isHere: true, failure: null, answerBefore: turn.answer }))
  const failure = await readStream(turn.key, (reading) => context.api.stream<typeof goOn>('/assistant/continue', { turnId: id }, reading))
  const now = conversationState.get().turns.find(({ key }) => key === turn.key)
  const { conversationId } = conversationState.get()
  if (!now) return
  settle(context, now, failure)
  if (failure instanceof CallFailed && failure.status === 409 && conversationId) await openConversation(context, conversationId)
}

/** Makes a streamed call and renders its pieces. Returns its error. */
async function readStream(key: string, call: (reader: StreamReader<Piece>) => Promise<void>): Promise<unknown> {
  running?.abort()
  const control = new AbortController()
  running = control
  const { tell, flush } = batchPieces((pieces) => {
    for (const { kind, conversationId } of pieces) if (kind === 'begun' && conversationId) onBegun(key, conversationId)
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

function onBegun(key: string, conversationId: string): void {
  const { conversationId: from, ...shown } = conversationState.get()
  if (!shown.turns.some((turn) => turn.key === key)) return
  conversationState.set({ ...shown, conversationId })
  markAccepted(from, conversationId)
  remember(conversationId)
}

function settle({ words }: ChatContext, turn: Turn, failure: unknown): void {
  const isEnded = turn.state !== 'running'
  const wrong = failure === null || isStop(failure) ? null : failureText(failure, words)
  change(turn.key, (now) => ({ ...now, isHere: false, looking: null, isWaiting: false, ...(!isEnded && endState(wrong)) }))
}

function endState(wrong: string | null): Pick<Turn, 'state' | 'failure'> {
  return wrong === null ? { state: 'stopped', failure: null } : { state: 'failed', failure: wrong }
}

function change(key: string, to: (turn: Turn) => Turn): void {
  const { turns, ...rest } = conversationState.get()
  conversationState.set({ ...rest, turns: turns.map((turn) => (turn.key === key ? to(turn) : turn)) })
}

/** Stops the stream of the shown conversation. The server keeps the partial answer. */
function show(next: ConversationState): void {
  stop()
  conversationState.set(next)
  loadDraft(next.conversationId)
  remember(next.conversationId)
}

function lastShown(): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null // storage unavailable
  }
}

function remember(conversationId: string | null): void {
  try {
    if (conversationId === null) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, conversationId)
  } catch {
    // storage unavailable: it holds for this page
  }
}
