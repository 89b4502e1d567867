import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { Kind } from '#kind/contract.ts'
import type { likers } from '#like/contract.ts'
import { PersonList } from '#user/web/user.tsx'

type LikersPage = Output<typeof likers>
type LikersParams = {
  kind: Kind
  id: string
  /** Resolves once my own like is saved, so that the list includes it. */
  after: () => Promise<void>
}

/** The members who like a post, page by page. */
export function LikersDialog({ isOpen, close, ...asked }: LikersParams & { isOpen: boolean; close: () => void }) {
  const words = useWords('like')
  return (
    <Dialog title={words('whoLikes')} isOpen={isOpen} close={close}>
      <Likers {...asked} />
    </Dialog>
  )
}

function Likers({ kind, id, after }: LikersParams) {
  const words = useWords('like')
  const api = useApi()
  const [found, setFound] = useState<LikersPage | null>(null)
  const [hasFailed, setFailed] = useState(false)

  function load(page: number): void {
    api.read<typeof likers>('/like/members', { kind, id, page }, { silent: true }).then(
      (next) => setFound((before) => ({ ...next, members: [...(before?.members ?? []), ...next.members] })),
      () => setFailed(true),
    )
  }

  function more(): void {
    setFailed(false)
    load((found?.page ?? 0) + 1)
  }

  const begin = useEffectEvent(() => void after().then(() => load(1)))
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
