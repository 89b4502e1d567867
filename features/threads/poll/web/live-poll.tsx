import { useEffect, useEffectEvent, useState } from 'react'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { Failed } from '#base/web/states.tsx'
import type { PollNews, pollNews, PollStateView, showPoll } from '#poll/contract.ts'
import type { PollView } from '#poll/thread-part.ts'
import { PollBody } from '#poll/web/poll-body.tsx'
import { PlainOptions } from '#poll/web/poll.tsx'

type Props = { topicId: string; poll: PollView }

/** A poll as this reader sees it, updated live. */
export function LivePoll({ topicId, poll }: Props) {
  const { state, hasFailed, reload, hear } = usePoll(topicId)
  useNews(topicId, state, hear)
  if (state) return <PollBody topicId={topicId} poll={state} reload={reload} />
  return (
    <>
      <PlainOptions poll={poll} />
      {hasFailed && <Failed retry={() => void reload()} />}
    </>
  )
}

function usePoll(topicId: string) {
  const api = useApi()
  const me = member.use()
  const [state, show] = useState<PollStateView | null>(null)
  const [hasFailed, setFailed] = useState(false)

  function reload(): Promise<void> {
    return api.read<typeof showPoll>('/poll', { topicId }, { silent: true }).then(
      (answer) => {
        show(answer)
        setFailed(false)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }

  const load = useEffectEvent(() => void reload())
  const isKnown = me !== undefined
  useEffect(() => {
    if (isKnown) load()
  }, [topicId, isKnown, me?.userId])

  function hear({ version, isEnded, takesVotes, results }: PollNews): void {
    if (!state) return
    if (version !== state.version || isEnded !== state.isEnded || takesVotes !== state.takesVotes) void reload()
    else if (results) show({ ...state, results })
  }

  return { state, hasFailed, reload, hear }
}

/** Subscribes until the poll ends. Voters have a stream of their own where only they see the results. */
function useNews(topicId: string, state: PollStateView | null, onUpdate: (news: PollNews) => void): void {
  const api = useApi()
  const tell = useEffectEvent(onUpdate)
  const isRunning = state !== null && !state.isEnded
  const resultsKey = state?.resultsKey ?? null
  useEffect(() => {
    if (!isRunning) return undefined
    const left = new AbortController()
    const options = {
      input: { topicId, ...(resultsKey !== null && { resultsKey }) },
      // The first event repeats the state, which may have changed since it was read.
      lastId: () => '',
      onUpdate: (news: PollNews) => tell(news),
      signal: left.signal,
    }
    listenThroughLeader<typeof pollNews>(api, '/poll/news', `poll ${topicId} ${resultsKey ?? ''}`, options).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, topicId, isRunning, resultsKey])
}
