import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { Failed } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { endPollAsStaff, removePollAsStaff, type pollForStaff, type ResultsView } from '#poll/contract.ts'
import type { PollView } from '#poll/thread-part.ts'
import { mayDo } from '#staff/admin/staff.tsx'

const ruleWords = { always: 'resultsAlways', voted: 'resultsVoted', ended: 'resultsEnded' } as const

/** A poll as its author made it, with its results where they are known. */
export function PollFacts({ poll, results }: { poll: PollView; results: ResultsView | null }) {
  const words = useWords('pollAdmin')
  const { title, options, maxChoices, endsAt, isEnded, isPublic, showsResults } = poll
  const counts = new Map(results?.votes.map(({ optionId, count }) => [optionId, count]))
  const facts = [words('choices', { most: maxChoices }), words(isPublic ? 'isPublic' : 'isSecret'), words(ruleWords[showsResults])]
  return (
    <section aria-labelledby="poll-title">
      <h2 id="poll-title">{title ? words('pollOf', { title }) : words('poll')}</h2>
      <p className="meta">
        {isEnded && <span className="mark">{words('hasEnded')}</span>} {facts.join(' · ')}
        {results && ` · ${words('voters', { count: results.voters })}`}
        {endsAt && !isEnded && (
          <>
            {' · '}
            {words('ends')} <Time at={endsAt} />
          </>
        )}
      </p>
      <ol>
        {options.map(({ id, label }) => (
          <li key={id}>
            <bdi>{label}</bdi> {results && <span className="meta">{words('votes', { count: counts.get(id) ?? 0 })}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

type Props = { topicId: string; poll: PollView }

/** The poll on the page of a topic, with its results and the actions of staff. */
export function PollOfTopic({ topicId, poll }: Props) {
  const words = useWords('pollAdmin')
  const { results, hasFailed, load } = useResults(topicId)
  const [asked, ask] = useState<'end' | 'remove' | null>(null)
  return (
    <>
      <PollFacts poll={poll} results={results} />
      {hasFailed && <Failed retry={load} />}
      {mayDo('poll.stop') && (
        <p className="actions">
          {!poll.isEnded && (
            <button type="button" className="button quiet" onClick={() => ask('end')}>
              {words('end')}
            </button>
          )}
          <button type="button" className="button quiet" onClick={() => ask('remove')}>
            {words('remove')}
          </button>
        </p>
      )}
      {asked && <ReasonDialog topicId={topicId} action={asked} close={() => ask(null)} />}
    </>
  )
}

function useResults(topicId: string) {
  const api = useApi()
  const [results, show] = useState<ResultsView | null>(null)
  const [hasFailed, setFailed] = useState(false)
  function load(): void {
    api.read<typeof pollForStaff>('/admin/poll', { topicId }, { silent: true }).then(
      (answer) => {
        show(answer.results)
        setFailed(false)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }
  const begin = useEffectEvent(load)
  useEffect(() => begin(), [topicId])
  return { results, hasFailed, load }
}

function ReasonDialog({ topicId, action, close }: { topicId: string; action: 'end' | 'remove'; close: () => void }) {
  const words = useWords('pollAdmin')
  const isEnd = action === 'end'
  const title = words(isEnd ? 'end' : 'remove')

  function done(): void {
    close()
    toast(words(isEnd ? 'ended' : 'removed'))
  }

  return (
    <Dialog title={title} isOpen close={close}>
      <p>{words(isEnd ? 'endWhat' : 'removeWhat')}</p>
      <Form endpoint={isEnd ? endPollAsStaff : removePollAsStaff} extra={{ topicId }} onSuccess={done}>
        <TextField name="reason" label={words('reason')} maxLength={300} rows={2} required data-first />
        <p className="actions">
          <Submit danger>{title}</Submit>
        </p>
      </Form>
    </Dialog>
  )
}
