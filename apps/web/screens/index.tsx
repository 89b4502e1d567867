import { useLoaderData, useLocation, useSearchParams } from 'react-router'
import { Welcome } from '#about/web/welcome.tsx'
import { Link } from '#base/web/link.tsx'
import { Following } from '#apps/web/following.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { TagHead, Tabs } from '#apps/web/list-head.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { ThreadRows } from '#apps/web/thread-rows.tsx'
import { tagIn, wishOf, type IndexData } from '#apps/web/screens/index.data.ts'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { FollowingTab } from '#follow/web/follow.tsx'
import { Slot } from '#frame/web/frame.tsx'
import { FriendLinks } from '#link/web/link.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { TagRail, useNameOf } from '#tag/web/tag.tsx'
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
        <Elsewhere />
        {tag ? (
          <TagHead tag={tag} kind="topic" title={nameOf(tag.name)} count={tag.topicCount} />
        ) : (
          <h1 className="hidden">{words('latest')}</h1>
        )}
        {welcome && <Welcome of={welcome} />}
        <Sorts />
        {followed ? <Following of={followed} list="/index" /> : <Topics list={list} reading={reading} />}
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

/** Shown to those alone who come by its place in the address; on any further list it is another, to which nobody came. */
function Elsewhere() {
  const words = useWords('site')
  const { search } = useLocation()
  return (
    <p key={search} id="elsewhere" className={`note ${css.elsewhere}`}>
      {words('elsewhere')}
    </p>
  )
}

function Topics({ list, reading }: Pick<IndexData, 'list' | 'reading'>) {
  return (
    <>
      {list.topics.length === 0 && <NoTopics />}
      <ThreadRows threads={list.topics} reading={reading} tagId={list.place?.id} />
      <Pages page={list.page} pages={list.pages} total={list.total} />
    </>
  )
}

function Sorts() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { followed } = useLoaderData<IndexData>()
  const { tagId, sort, featured, language } = wishOf(query)
  const tag = `${tagId ? `&tagId=${tagId}` : ''}${language ? `&language=${language}` : ''}`
  const ways = [
    { to: `/index?sort=reply${tag}`, label: words('byReply'), isChosen: sort === 'reply' && !featured && !followed },
    { to: `/index?sort=new${tag}`, label: words('byTime'), isChosen: sort === 'new' && !featured && !followed },
    { to: `/index?sort=hot${tag}`, label: words('byHeat'), isChosen: sort === 'hot' && !featured && !followed },
    { to: `/index?featured=true${tag}`, label: words('onlyFeatured'), isChosen: featured && !followed },
  ]
  return (
    <Tabs label={words('order')} tagId={tagId}>
      {ways.map(({ to, label, isChosen }) => (
        <Link key={to} to={to} aria-current={isChosen ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <FollowingTab list="/index" isHere={followed !== null} />
    </Tabs>
  )
}

function NoTopics() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { tagId, featured, language } = wishOf(query)
  if (!featured && !language) return <Empty deed={<PostLink kind="topic" tagId={tagId} />}>{words('noTopics')}</Empty>
  const all = (
    <Link to={tagId ? `/index?tagId=${tagId}` : '/index'} className="button quiet">
      {words('seeAll')}
    </Link>
  )
  return <Empty deed={all}>{words(language ? 'noneInLanguage' : 'noFeatured')}</Empty>
}
