import { useLoaderData, useSearchParams } from 'react-router'
import { Link } from '#base/web/link.tsx'
import { FollowedThreads } from '#apps/web/followed-threads.tsx'
import { HotTopics } from '#apps/web/hot-topics.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { tagIn, wishOf, type IndexData } from '#apps/web/screens/index.data.ts'
import { Pages } from '#base/web/pages.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { FollowingTab, FollowTag } from '#follow/web/follow.tsx'
import { useUnmuted } from '#follow/web/mine.ts'
import { Slot } from '#frame/web/frame.tsx'
import { FriendLinks } from '#link/web/link.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { TagPicture, TagRail, useNameOf } from '#tag/web/tag.tsx'
import { TopicRow } from '#topic/web/topic.tsx'
import css from '#apps/web/screens/index.module.css'

export function Page() {
  const data = useLoaderData<IndexData>()
  const { tags, list, hot, links, fresh, followed } = data
  const tag = tagIn(data)
  const language = useLanguage()
  const description = tag?.description[language]
  const words = useWords('topic')
  const nameOf = useNameOf()
  const { frame } = useSite()
  return (
    <div className={css.page}>
      <div className={css.tags}>
        <TagRail tags={tags} />
      </div>
      <section className={css.topics}>
        <h1 className={list.place ? css.title : 'hidden'}>
          {tag && <TagPicture of={tag} size={28} />}
          {list.place ? nameOf(list.place.name) : words('latest')}
        </h1>
        {list.place && <FollowTag tagId={list.place.id} />}
        {description && <p className="meta">{description}</p>}
        <Sorts />
        {followed ? <FollowedThreads of={followed} list="/index" /> : <Topics list={list} fresh={fresh} />}
        <FriendLinks links={links} />
      </section>
      <aside className={css.side}>
        <PostLink kind="topic" />
        <HotTopics topics={hot} />
        <Slot of={frame} place="besideTopics" />
      </aside>
    </div>
  )
}

function Topics({ list, fresh }: Pick<IndexData, 'list' | 'fresh'>) {
  const topics = useUnmuted(list.topics, list.place?.id)
  return (
    <>
      {list.topics.length === 0 && <NoTopics />}
      {topics.map((topic) => (
        <TopicRow key={topic.id} topic={topic} fresh={fresh.find(({ topicId, fresh }) => topicId === topic.id && fresh > 0)} />
      ))}
      <Pages page={list.page} pages={list.pages} total={list.total} />
    </>
  )
}

function Sorts() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { followed } = useLoaderData<IndexData>()
  const { tagId, sort, featured } = wishOf(query)
  const tag = tagId ? `&tagId=${tagId}` : ''
  const ways = [
    { to: `/index?sort=reply${tag}`, label: words('byReply'), isChosen: sort === 'reply' && !featured && !followed },
    { to: `/index?sort=new${tag}`, label: words('byTime'), isChosen: sort === 'new' && !featured && !followed },
    { to: `/index?sort=hot${tag}`, label: words('byHeat'), isChosen: sort === 'hot' && !featured && !followed },
    { to: `/index?featured=true${tag}`, label: words('onlyFeatured'), isChosen: featured && !followed },
  ]
  return (
    <nav className="tabs" aria-label={words('order')}>
      {ways.map(({ to, label, isChosen }) => (
        <Link key={to} to={to} aria-current={isChosen ? 'page' : undefined}>
          {label}
        </Link>
      ))}
      <FollowingTab list="/index" isHere={followed !== null} />
    </nav>
  )
}

function NoTopics() {
  const words = useWords('topic')
  const [query] = useSearchParams()
  const { tagId, featured } = wishOf(query)
  if (!featured) return <Empty deed={<PostLink kind="topic" />}>{words('noTopics')}</Empty>
  const all = (
    <Link to={tagId ? `/index?tagId=${tagId}` : '/index'} className="button quiet">
      {words('seeAll')}
    </Link>
  )
  return <Empty deed={all}>{words('noFeatured')}</Empty>
}
