import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { pollVoters } from '#poll/contract.ts'
import { PersonList } from '#user/web/user.tsx'

type Props = { topicId: string; option: { id: string; label: string }; close: () => void }

/** The voters for an option of a public poll. */
export function VotersDialog({ topicId, option, close }: Props) {
  const words = useWords('poll')
  return (
    <Dialog title={words('whoVoted', { option: option.label })} isOpen close={close}>
      <Voters topicId={topicId} optionId={option.id} />
    </Dialog>
  )
}

function Voters({ topicId, optionId }: { topicId: string; optionId: string }) {
  const words = useWords('poll')
  const api = useApi()
  const [found, setFound] = useState<Output<typeof pollVoters> | null>(null)
  const [hasFailed, setFailed] = useState(false)

  function load(page: number): void {
    api.read<typeof pollVoters>('/poll/voters', { topicId, optionId, page }, { silent: true }).then(
      (next) => setFound((before) => ({ ...next, members: [...(before?.members ?? []), ...next.members] })),
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }

  function more(): void {
    setFailed(false)
    load((found?.page ?? 0) + 1)
  }

  const begin = useEffectEvent(() => load(1))
  useEffect(() => begin(), [])

  return (
    <>
      {found && (found.total === 0 ? <p className="meta">{words('nobody')}</p> : <PersonList people={found.members} />)}
      {!found && !hasFailed && <Skeleton lines={3} />}
      {hasFailed && <Failed retry={more} />}
      {found && found.page < found.pages && !hasFailed && (
        <button type="button" className="plain" onClick={more}>
          {words('more')}
        </button>
      )}
    </>
  )
}
