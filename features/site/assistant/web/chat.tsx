import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import type { assistantForm } from '#assistant/contract.ts'
import { allowSources, type LinkFilter } from '#assistant/links.ts'
import { Composer } from '#assistant/web/composer.tsx'
import { draft, edit, markSent } from '#assistant/web/draft.ts'
import { sendQuestion, continueAnswer, openConversation, conversationState, type ChatContext } from '#assistant/web/conversation.ts'
import { ChatTurn } from '#assistant/web/chat-turn.tsx'
import type { Turn } from '#assistant/web/turn.ts'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/panel.module.css'

type ChatProps = {
  isShown: boolean
  /** Closes a panel that covers the page, after a link of an answer to that page. */
  leave: () => void
}

/** The turns of a conversation, and the input box. */
export function Chat({ isShown, leave }: ChatProps) {
  const words = useWords('assistant')
  const api = useApi()
  const means: ChatContext = { api, words }
  const { conversationId, turns, isLoading, failure } = conversationState.use()
  const form = useAssistantForm(isShown)
  const topicId = useTopicId()
  const scroller = useRef<HTMLDivElement>(null)
  const isRunning = turns.some(({ isHere }) => isHere)
  const toEnd = useScrollToEnd(scroller, turns, isShown)

  function ask(prompt: string, inPlaceOf?: Turn): void {
    toEnd()
    void sendQuestion(means, { prompt, topicId, inPlaceOf })
  }

  function send(text: string): void {
    const inPlaceOf = turns.find(({ key }) => key === draft.get().editing)
    markSent()
    ask(text, inPlaceOf)
  }

  return (
    <div className={css.chat} hidden={!isShown}>
      <div ref={scroller} className={css.turns} role="region" aria-label={words('talk')}>
        {isLoading && <Skeleton />}
        {failure && conversationId && <Failed retry={() => void openConversation(means, conversationId)}>{failure}</Failed>}
        {turns.length === 0 && !isLoading && !failure && <Welcome canAsk={form?.allowChat !== false} topicId={topicId} ask={ask} />}
        <Turns {...{ turns, isRunning, leave, means, conversationId }} retry={(turn) => ask(turn.prompt, turn)} />
      </div>
      <Announcement isRunning={isRunning} last={turns.at(-1)} />
      <Composer
        conversationId={conversationId}
        isRunning={isRunning}
        knowsTopic={topicId !== null}
        left={form?.leftToday ?? null}
        send={send}
      />
    </div>
  )
}

type TurnsProps = {
  turns: readonly Turn[]
  isRunning: boolean
  conversationId: string | null
  means: ChatContext
  leave: () => void
  retry: (turn: Turn) => void
}

function Turns({ turns, isRunning, conversationId, means, leave, retry }: TurnsProps) {
  const allows = useAllows(turns)
  return turns.map((turn, index) => (
    <ChatTurn
      key={turn.key}
      turn={turn}
      number={index + 1}
      allows={allows}
      isBusy={isRunning}
      leave={leave}
      edit={() => edit(turn.key, turn.prompt)}
      retry={() => retry(turn)}
      goOn={() => void continueAnswer(means, turn)}
      lookAgain={() => conversationId && void openConversation(means, conversationId)}
    />
  ))
}

/** The allowed targets of links. The object is stable while only text arrives, so that only the growing block renders. */
function useAllows(turns: readonly Turn[]): LinkFilter {
  const known = JSON.stringify(turns.map(({ prompt, sources }) => ({ prompt, sources })))
  return useMemo(() => {
    const all: Pick<Turn, 'prompt' | 'sources'>[] = JSON.parse(known)
    return allowSources(
      all.flatMap(({ sources }) => sources),
      all.map(({ prompt }) => prompt),
    )
  }, [known])
}

type WelcomeProps = { canAsk: boolean; topicId: string | null; ask: (prompt: string) => void }

function Welcome({ canAsk, topicId, ask }: WelcomeProps) {
  const words = useWords('assistant')
  if (!canAsk) return <p className={css.welcome}>{words('noModel')}</p>
  return (
    <div className={css.welcome}>
      <p>{words('welcome')}</p>
      {topicId && (
        <button type="button" className="button quiet" onClick={() => ask(words('sumUp'))}>
          {words('sumUp')}
        </button>
      )}
    </div>
  )
}

/** Announces the start and the end of an answer to screen readers, not each word. */
function Announcement({ isRunning, last }: { isRunning: boolean; last: Turn | undefined }) {
  const words = useWords('assistant')
  const [hasRun, setRun] = useState(false)
  if (isRunning && !hasRun) setRun(true)
  const text = isRunning ? words('answering') : hasRun && last ? words('ended', { state: last.state }) : ''
  return (
    <p className="hidden" role="status">
      {text}
    </p>
  )
}

const nearEnd = 48

/** Keeps the end in sight while the answer grows, unless the reader scrolls away. Returns a function that scrolls back to it. */
function useScrollToEnd(scroller: RefObject<HTMLDivElement | null>, turns: readonly Turn[], isShown: boolean): () => void {
  const height = useRef(0)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    if (height.current - current.scrollTop - current.clientHeight < nearEnd) current.scrollTo(0, current.scrollHeight)
    // It starts at the end again when it is shown again.
    height.current = isShown ? current.scrollHeight : 0
  }, [scroller, turns, isShown])
  return () => scroller.current?.scrollTo(0, scroller.current.scrollHeight)
}

function useAssistantForm(isShown: boolean): Output<typeof assistantForm> | null {
  const api = useApi()
  const [form, setForm] = useState<Output<typeof assistantForm> | null>(null)
  const { turns } = conversationState.use()
  const finishedCount = turns.filter(({ state }) => state !== 'running').length
  useEffect(() => {
    if (!isShown) return
    api.read<typeof assistantForm>('/assistant/form', {}, { silent: true }).then(setForm, (error: unknown) => {
      console.info('How much is left of today is not known', error)
    })
  }, [api, isShown, finishedCount])
  return form
}

/** The thread on the page. */
function useTopicId(): string | null {
  const { pathname, search } = useLocation()
  const name = { '/thread': 'topicId', '/question': 'questionId' }[pathname]
  return name ? new URLSearchParams(search).get(name) : null
}
