import { useEffectEvent, useLayoutEffect, useMemo } from 'react'
import { createPortal } from 'react-dom'
import { useNavigate, useSearchParams } from 'react-router'
import { member } from '#account/web/account.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { useWords } from '#base/web/words.tsx'
import { useBestFirst, useThread, type CommentList, type ReaderTools } from '#comment/web/thread-context.tsx'
import { orderIn, orderQuery, type Order } from '#comment/web/order.ts'
import { ThreadBar } from '#comment/web/reading/bar.tsx'
import { Branches } from '#comment/web/reading/branches.tsx'
import { readingPreferences } from '#comment/web/reading/reading-preferences.ts'
import { Continue } from '#comment/web/reading/continue.tsx'
import { InfiniteList } from '#comment/web/reading/infinite-list.tsx'
import { useScrollHistory } from '#comment/web/reading/scroll-history.ts'
import { ThreadShortcuts } from '#comment/web/reading/shortcuts.tsx'
import { NewComments } from '#comment/web/reading/new-comments.tsx'
import { useScrollAnchoring } from '#comment/web/reading/scroll-anchor.ts'
import { useReadProgress, usePositionOnEntry } from '#comment/web/reading/progress.ts'
import { Quoting } from '#comment/web/reading/quoting.tsx'
import { ReadingMenu } from '#comment/web/reading/reading-menu.tsx'
import { Scrubber } from '#comment/web/reading/scrubber.tsx'
import { mountedLists } from '#comment/web/reading/mounted-lists.ts'
import { answersUnder } from '#comment/web/reading/tree.ts'
import { WayBack } from '#comment/web/reading/way-back.tsx'
import { threadPath } from '#kind/contract.ts'
import css from '#comment/web/reading/reading.module.css'

const fewComments = 15

/** The reader's tools: layout, position, new comments and navigation. They load after the text. */
export function Reading({ list, setTools }: { list: CommentList; setTools: (tools: ReaderTools) => void }) {
  const { topic, mine } = useThread()
  const isVisitor = member.use() === null
  const [query] = useSearchParams()
  const go = useNavigate()
  const order = orderIn(query, topic.kind)
  const isReversed = order === 'desc'
  const isPart = query.get('onlyAuthor') === 'true'
  const before = usePositionOnEntry()
  useReadProgress(before)
  useTools(setTools, before ?? null, order)
  const { flow } = readingPreferences.use()
  useLayoutEffect(() => {
    if (flow === 'pages') mountedLists.set([list])
  }, [flow, list])
  const position = useScrollHistory({ isReversed, follows: flow === 'scroll' })
  const words = useWords('comment')
  const [place, bar] = ['reading-menu', 'thread-bar'].map((id) => document.getElementById(id))
  const hasScrubber = list.total > fewComments && !isPart && order !== 'likes'
  const at = words('position', { at: position ?? (isReversed ? list.total : 1), total: list.total })
  const menu = <ReadingMenu list={list} position={position} />

  function jump(floor: number): void {
    // Floors are in order of time.
    void go(`${threadPath(topic.id, topic.kind)}${orderQuery(isReversed ? 'desc' : 'asc', topic.kind)}&floor=${floor}`)
  }

  return (
    <>
      {place && createPortal(menu, place)}
      {bar && createPortal(<ThreadBar position={hasScrubber ? at : null} count={topic.commentCount} />, bar)}
      <div className={css.pills}>
        <WayBack position={position} />
        {!isReversed && !isPart && <Continue before={before ?? null} jump={jump} />}
        <NewComments show={jump} />
      </div>
      {hasScrubber && <Scrubber key={list.total} {...{ list, position, isReversed, jump, menu }} />}
      {(mine ? mine.can.comment : isVisitor && topic.takesComments) && <Quoting />}
      <ThreadShortcuts />
    </>
  )
}

/** Passes the tools to the page, with the scroll position anchored. */
function useTools(setTools: (tools: ReaderTools) => void, before: number | null, order: Order): void {
  const { flow, shape } = readingPreferences.use()
  const { topic } = useThread()
  const keepPlace = useScrollAnchoring()
  const firstNew = before !== null && before < topic.floors && order === 'asc' ? before + 1 : null
  const tools = useMemo<ReaderTools>(
    () => ({
      List: flow === 'scroll' ? InfiniteList : shape === 'tree' ? PageOfBranches : null,
      above: ({ floor }) => (floor === firstNew ? <NewFromHere /> : null),
      order: shape === 'tree' ? answersUnder : (replies) => replies.map((reply) => ({ reply, depth: 0 })),
    }),
    [flow, shape, firstNew],
  )
  const hand = useEffectEvent(() => {
    keepPlace()
    setTools(tools)
  })
  useLayoutEffect(() => hand(), [tools])
}

function NewFromHere() {
  const words = useWords('comment')
  return (
    <p className={css.newFromHere}>
      <span>{words('newFromHere')}</span>
    </p>
  )
}

function PageOfBranches({ list }: { list: CommentList }) {
  const bestFirst = useBestFirst()
  return (
    <>
      <Branches comments={bestFirst(list.comments, list.page)} />
      <Pagination page={list.page} pages={list.pages} total={list.total} />
    </>
  )
}
