import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { useMember } from '#account/web/account.tsx'
import type { Output } from '#base/contract.ts'
import { isolate } from '#base/direction.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Tabs } from '#base/web/tabs.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import {
  editFolder,
  type favouriteList,
  type FavouriteView,
  type FolderView,
  type removeFavourite,
  type removeFolder,
} from '#favourite/contract.ts'
import { EditFavourite, FolderFields, NewFolder } from '#favourite/web/edit-favourite.tsx'
import { threadPath } from '#kind/contract.ts'
import { Name } from '#user/web/user.tsx'
import css from '#favourite/web/favourite-list-page.module.css'

type FavouriteListData = Output<typeof favouriteList>

/** The favourites of a member: all of one's own, optionally by folder; of others those in public folders. */
export function Page() {
  const words = useWords('favourite')
  const me = useMember()
  const { user, folders, favourites, page, pages, total } = useLoaderData<FavouriteListData>()
  const isMine = me?.userId === user.id
  const around = isMine && (
    <Link to="/index" className="button">
      {words('lookAround')}
    </Link>
  )
  return (
    <section className="column">
      <Folders folders={folders} userId={isMine ? null : user.id} />
      {favourites.length === 0 && <Empty action={around}>{words(isMine ? 'noneMine' : 'noneOf')}</Empty>}
      <ol className={css.list}>
        {favourites.map((favourite) => (
          <li key={favourite.topicId}>
            <FavouriteItem favourite={favourite} folders={folders} isMine={isMine} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

function Folders({ folders, userId }: { folders: readonly FolderView[]; userId: string | null }) {
  const words = useWords('favourite')
  const [query] = useSearchParams()
  const [isNew, setNew] = useState(false)
  const open = folders.find(({ id }) => id === query.get('folderId'))
  const whose = userId ? `userId=${userId}` : ''
  return (
    <div className={css.folders}>
      <Tabs label={words('folder')}>
        <Link to={`/user/control/favoriteList${whose && `?${whose}`}`} aria-current={open ? undefined : 'page'}>
          {words('all')}
        </Link>
        {folders.map(({ id, name, isPublic, count }) => (
          <Link
            key={id}
            to={`/user/control/favoriteList?${whose && `${whose}&`}folderId=${id}`}
            aria-current={open?.id === id ? 'page' : undefined}
          >
            <bdi>{name}</bdi> {count} {isPublic && !userId && <span className="mark">{words('public')}</span>}
          </Link>
        ))}
      </Tabs>
      {!userId && (
        <p>
          <button type="button" className="plain" onClick={() => setNew(true)}>
            {words('newFolder')}
          </button>
          {open && <EditFolder key={open.id} folder={open} />}
        </p>
      )}
      <Dialog title={words('newFolder')} isOpen={isNew} close={() => setNew(false)}>
        <NewFolder then={() => setNew(false)} />
      </Dialog>
    </div>
  )
}

function EditFolder({ folder }: { folder: FolderView }) {
  const words = useWords('favourite')
  const [isOpen, setOpen] = useState(false)
  const removal = useAction<typeof removeFolder>('/favourite/removeFolder')
  const [, setQuery] = useSearchParams()

  async function remove(): Promise<void> {
    if (!(await confirm(words('removeFolderQuestion', { name: folder.name }), words('removeFolder')))) return
    await removal.run({ folderId: folder.id }, { onSuccess: () => setQuery({}, { replace: true }) })
  }

  return (
    <>
      <button type="button" className="plain" onClick={() => setOpen(true)}>
        {words('editFolder')}
      </button>
      <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
        {words('removeFolder')}
      </button>
      <Dialog title={words('editFolder')} isOpen={isOpen} close={() => setOpen(false)}>
        <Form endpoint={editFolder} extra={{ folderId: folder.id }} onSuccess={() => setOpen(false)}>
          <FolderFields folder={folder} />
          <p className="actions">
            <Submit>{words('save')}</Submit>
          </p>
        </Form>
      </Dialog>
    </>
  )
}

function FavouriteItem({ favourite, folders, isMine }: { favourite: FavouriteView; folders: readonly FolderView[]; isMine: boolean }) {
  const words = useWords('favourite')
  const { topicId, topic, folderId, note, at } = favourite
  const [isOpen, setOpen] = useState(false)
  const removal = useAction<typeof removeFavourite>('/favourite/remove')
  const folder = folders.find(({ id }) => id === folderId)
  return (
    <>
      <div>
        {topic ? <Link to={threadPath(topicId, topic.kind)}>{topic.title}</Link> : <span className="meta">{words('gone')}</span>}
        {note && <p className={css.note}>{note}</p>}
        <p className="meta">
          {topic && (
            <>
              <Name of={topic.author} withRoles={false} /> ·{' '}
            </>
          )}
          <Time at={at} />
          {folder && ` · ${isolate(folder.name)}`}
        </p>
      </div>
      {isMine && (
        <button type="button" className="plain" onClick={() => setOpen(true)}>
          {words('where')}
        </button>
      )}
      {isOpen && (
        <EditFavourite
          topicId={topicId}
          isOpen
          close={() => setOpen(false)}
          remove={() => void removal.run({ topicId }, { message: words('removed') })}
        />
      )}
    </>
  )
}
