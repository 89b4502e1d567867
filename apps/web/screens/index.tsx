import { useLoaderData, useLocation, useSearchParams } from 'react-router'
import { Welcome } from '#about/web/welcome.tsx'
import { Link } from '#base/web/link.tsx'
import { Feed } from '#apps/web/feed.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { ListTabs, TagHead } from '#apps/web/list-head.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { ThreadPages, type ThreadPage } from '#apps/web/thread-pages.tsx'
import { tagIn, listParamsIn, type IndexData } from '#apps/web/screens/index.data.ts'
import { useApi } from '#base/web/api.ts'
import { Memoized } from '#base/web/memoized.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { FollowingTab } from '#follow/web/follow.tsx'
import { Slot } from '#frame/web/frame.tsx'
import { FriendLinks } from '#link/web/link.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { TagRail, useNameOf } from '#tag/web/tag.tsx'
import type { listTopics } from '#topic/contract.ts'
import css from '#apps/web/screens/index.module.css'

export function Page() {
  const data = useLoaderData<IndexData>()
  const { tags, list, hot, links, reading, followed, welcome } = data
  const tag = tagIn(data)
  const words = useWords('topic')
  const nameOf = useNameOf()
  const { frame } = useSite()
  return (
    <div className={css.page}>
      <div className={`${css.tags} rail`}>
        <TagRail tags={tags} />
      </div>
      <section className={css.topics}>
        <NotFoundNote />
        {tag ? (
          <TagHead tag={tag} kind="topic" title={nameOf(tag.name)} count={tag.topicCount} />
        ) : (
          <h1 className="hidden">{words('latest')}</h1>
        )}
        {welcome && (
          <Memoized by={(address) => ['welcome', welcome, address]}>
            <Welcome of={welcome} />
          </Memoized>
        )}
        <Sorts />
        {followed ? <Feed of={followed} list="/index" /> : <Topics list={list} reading={reading} />}
        <FriendLinks links={links} />
      </section>
      <aside className={`${css.side} rail`}>
        {!tag && <PostLink kind="topic" />}
        <HotTopics topics={hot} />
        <Slot of={frame} place="besideTopics" />
      </aside>
    </div>
  )
}

/** Visible only as the target of the document's fragment; the key recreates it for another list, where it is no target. */
function NotFoundNote() {
  const words = useWords('site')
  const { search } = useLocation()
  return (
    <p key={search} id="elsewhere" className={`note ${css.elsewhere}`}>
      {words('elsewhere')}
    </p>
  )
}

function Topics({ list: { topics, page, pages, total, place }, reading }: Pick<IndexData, 'list' | 'reading'>) {
  const api = useApi()
  const { key } = useLocation()
  const [query] = useSearchParams()
  async function read(number: number): Promise<ThreadPage> {
    const { topics: threads, ...its } = await api.read<typeof listTopics>(
      '/topic/list',
      { ...listParamsIn(query), page: number },
      { shared: true },
    )
    return { threads, ...its }
  }
  return (
    <>
      {topics.length === 0 && <NoTopics />}
      <ThreadPages key={key} first={{ threads: topics, reading, page, pages, total }} read={read} tagId={place?.id} />
    </>
  )
}

function Sorts() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { followed, list } = useLoaderData<IndexData>()
  const { tagId, sort, featured, language } = listParamsIn(query)
  const isPlain = sort !== 'hot' && !featured && !language && !followed && list.page === 1
  const news = isPlain ? { threads: list.topics, isWhole: list.pages === 1, sort, onlyQuestions: false } : null
  const tag = `${tagId ? `&tagId=${tagId}` : ''}${language ? `&language=${language}` : ''}`
  const ways = [
    { to: `/index?sort=reply${tag}`, label: words('byReply'), isChosen: sort === 'reply' && !featured && !followed },
    { to: `/index?sort=new${tag}`, label: words('byTime'), isChosen: sort === 'new' && !featured && !followed },
    { to: `/index?sort=hot${tag}`, label: words('byHeat'), isChosen: sort === 'hot' && !featured && !followed },
    { to: `/index?featured=true${tag}`, label: words('onlyFeatured'), isChosen: featured && !followed },
  ]
  return (
    <ListTabs label={words('order')} tagId={tagId} news={news}>
      {ways.map(({ to, label, isChosen }) => (
        <Link key={to} to={to} aria-current={isChosen ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <FollowingTab list="/index" isHere={followed !== null} />
    </ListTabs>
  )
}

function NoTopics() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { tagId, featured, language } = listParamsIn(query)
  if (!featured && !language) return <Empty action={<PostLink kind="topic" tagId={tagId} />}>{words('noTopics')}</Empty>
  const all = (
    <Link to={tagId ? `/index?tagId=${tagId}` : '/index'} className="button quiet">
      {words('seeAll')}
    </Link>
  )
  return <Empty action={all}>{words(language ? 'noneInLanguage' : 'noFeatured')}</Empty>
}
