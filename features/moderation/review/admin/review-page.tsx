import { useState } from 'react'
import { useLoaderData, useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'
import { KeysButton } from '#base/admin/keys-button.tsx'
import { FilterChoice, Filters, isFiltered } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { Head } from '#base/admin/head.tsx'
import { ListPages } from '#base/admin/list-tools.tsx'
import { countLimit } from '#base/list.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { Link } from '#base/web/link.tsx'
import { helpIsOpen, useKeyBuffer, useShortcuts } from '#base/web/shortcuts.ts'
import { Empty, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { KindFilter } from '#review/admin/kind-filter.tsx'
import { OpenPost } from '#review/admin/open-post.tsx'
import type { Queue, Post } from '#review/admin/queue.data.ts'
import { BulkDecision } from '#review/admin/bulk-decision.tsx'
import type { WaitingView } from '#review/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import { usePostWord } from '#kind/web/kind.tsx'
import css from '#review/admin/review-page.module.css'

/** The review queue on one side, the open post on the other. */
export function Page() {
  const words = useWords('reviewAdmin')
  const say = useWords('admin')
  const [params] = useSearchParams()
  const { page, opened, tags } = useLoaderData<Queue>()
  const { pathOf, step, begin } = useQueueNavigation()
  const { chosen, toggle, toggleAll, clear } = useSelection(page.rows)
  const [edited, edit] = useState<Post | null>(null)
  function restart(): void | Promise<void> {
    clear()
    return begin()
  }
  useKeyBuffer(useNavigation().state !== 'idle')
  useShortcuts('reviewAdmin.queue', [
    { keys: 'j', label: 'reviewAdmin.next', run: () => void step(1) },
    { keys: 'k', label: 'reviewAdmin.previous', run: () => void step(-1) },
    { keys: 'x', label: 'reviewAdmin.select', run: () => opened && toggle(opened.id) },
    { keys: '*', label: 'reviewAdmin.selectAll', run: toggleAll },
    { keys: '?', label: 'keys.help', run: () => helpIsOpen.set(true) },
  ])
  return (
    <>
      <Head title={words('queue')}>
        <DecidedLink />
      </Head>
      <QueueFilters tags={tags} authors={page.rows.map(({ author }) => author)} />
      <Count count={page.count} />
      {opened ? (
        <div className={css.sides}>
          <div className={css.queue}>
            <BulkDecision chosen={chosen} reasons={opened.rejectReasons} onDone={restart} />
            <ol aria-label={words('queue')}>
              {page.rows.map((row) => (
                <li key={row.id}>
                  <Line {...{ row, to: pathOf(row.id), isOpen: row.id === opened.id, isChosen: chosen.includes(row), choose: toggle }} />
                </li>
              ))}
            </ol>
          </div>
          <OpenPost key={`${opened.id} ${opened.version}`} post={opened} onward={() => step(1, true)} edit={() => edit(opened)} />
        </div>
      ) : (
        <Empty>{isFiltered(params) ? say('noneSo') : words('nothingWaits')}</Empty>
      )}
      <ListPages previous={page.previous} next={page.next} />
      <EditPanel post={edited && opened?.id === edited.id ? opened : edited} close={() => edit(null)} />
    </>
  )
}

function DecidedLink() {
  const words = useWords('reviewAdmin')
  return (
    <Link to="/admin/review/decided" className="button quiet">
      {words('decidedList')}
    </Link>
  )
}

/** Stays open with its text while the queue changes around it. */
function EditPanel({ post, close }: { post: Post | null; close: () => void }) {
  const words = useWords('reviewAdmin')
  const part = useLater(() => import('#review/admin/edit-form.tsx'), post !== null, close)
  useKeyBuffer(post !== null && part === null)
  return (
    <Dialog title={words('edit')} isOpen={post !== null} close={close}>
      {part && post ? <part.EditForm key={post.id} post={post} close={close} /> : <Skeleton lines={6} />}
    </Dialog>
  )
}

function Count({ count }: { count: number }) {
  const words = useWords('reviewAdmin')
  return (
    <p className={css.count}>
      <span className="meta" role="status">
        {words(count >= countLimit ? 'countMore' : 'count', { count })}
      </span>
      <KeysButton>{words('keysInShort')}</KeysButton>
    </p>
  )
}

function QueueFilters({ tags, authors }: Pick<Queue, 'tags'> & { authors: readonly WaitingView['author'][] }) {
  const words = useWords('reviewAdmin')
  const nameOf = useNameOf()
  return (
    <Filters>
      <KindFilter />
      <FilterChoice
        name="tagId"
        label={words('tag')}

        options={tags.map(({ place, count }) => [place.id, words('tagWith', { name: nameOf(place.name), count })])}
      />
      <FilterPerson name="author" label={words('writer')} members={authors} />
      <FilterChoice
        name="claimed"
        label={words('claimedBy')}

        options={[
          ['nobody', words('nobody')],
          ['me', words('me')],
          ['others', words('others')],
        ]}
      />
    </Filters>
  )
}

type LineProps = { row: WaitingView; to: string; isOpen: boolean; isChosen: boolean; choose: (id: string) => void }

function Line({ row, to, isOpen, isChosen, choose }: LineProps) {
  const word = usePostWord()
  const words = useWords('reviewAdmin')
  const text = row.kind === 'topic' ? row.title : row.summary
  return (
    <div className={css.item} data-open={isOpen || undefined}>
      <input
        type="checkbox"
        checked={isChosen}
        disabled={!isFree(row)}
        onChange={() => choose(row.id)}
        aria-label={`${words('select')} ${text.slice(0, 30)}`}
      />
      <Link to={to} className={css.line} aria-current={isOpen ? 'true' : undefined} preventScrollReset>
        <span className="meta">
          {words(row.isEdit ? 'editOf' : 'new', { kind: word(row) })} · <Time at={row.askedAt} />
        </span>
        <strong>{row.author.name}</strong>
        <span className={css.summary}>{text}</span>
        {!row.mayDecide && <span className="mark">{words('own')}</span>}
        {row.claimedBy && <span className="mark">{words('claimed', { account: row.claimedBy.account })}</span>}
      </Link>
    </div>
  )
}

function isFree({ claimedBy, mayDecide }: WaitingView): boolean {
  return mayDecide && (claimedBy === null || claimedBy.isMe)
}

/** The selected posts that are still on the page. */
function useSelection(rows: readonly WaitingView[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const free = rows.filter(isFree)
  const chosen = free.filter(({ id }) => ids.has(id))
  return {
    chosen,
    toggle: (id: string) => setIds(ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])),
    toggleAll: () => setIds(chosen.length === free.length ? new Set() : new Set(free.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

/** Navigation through the queue. */
function useQueueNavigation() {
  const { page, opened } = useLoaderData<Queue>()
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const go = useNavigate()

  function pathOf(id: string | undefined): string {
    const query = new URLSearchParams(params)
    query.delete('open')
    if (id) query.set('open', id)
    return `${pathname}?${query}`
  }

  /** Goes to the next or previous post; where the current one leaves the queue, to one that remains. */
  function step(by: 1 | -1, isLeaving = false): void | Promise<void> {
    const at = page.rows.findIndex(({ id }) => id === opened?.id)
    const to = page.rows[at + by] ?? (isLeaving ? page.rows[at - 1] : undefined)
    if (to || isLeaving) return go(pathOf(to?.id), { preventScrollReset: !isLeaving, replace: isLeaving })
  }

  return { pathOf, step, begin: () => go(pathOf(undefined), { replace: true }) }
}
