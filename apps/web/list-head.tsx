import type { ReactNode } from 'react'
import { ListMenu } from '#apps/web/list-menu.tsx'
import type { CurrentList } from '#apps/web/new-topics.tsx'
import { PostLink } from '#apps/web/post-link.tsx'
import { isolate } from '#base/direction.ts'
import { Tabs } from '#base/web/tabs.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { FollowTag } from '#follow/web/follow.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { TagPicture, type Tags } from '#tag/web/tag.tsx'
import css from '#apps/web/list-head.module.css'

type Tag = Omit<Tags[number], 'children'>

/** The description of a tag, its number of topics, and the button to post there. */
export function TagHead({ tag, kind, title, count }: { tag: Tag; kind: ThreadKind; title: string; count: number }) {
  const words = useWords('tag', { of: kind })
  const language = useLanguage()
  const description = tag.description[language]
  return (
    <header className={css.head}>
      <TagPicture of={tag} size={48} />
      <div className={css.says}>
        <h1>{title}</h1>
        {description && <p>{description}</p>}
        <p className="meta">
          {words('count', { count })}
          {tag.viewers.length > 0 && ` · ${words('seenBy', { who: tag.viewers.map((who) => isolate(who[language])).join(', ') })}`}
        </p>
      </div>
      <div className={css.actions}>
        <PostLink kind={kind} tagId={tag.id} />
        <FollowTag tagId={tag.id} />
      </div>
    </header>
  )
}

type ListTabsProps = { label: string; children: ReactNode; tagId: string | undefined; news: CurrentList | null }

/** The sort orders of a list, and its menu. */
export function ListTabs({ label, children, tagId, news }: ListTabsProps) {
  return (
    <div className={css.bar}>
      <Tabs label={label}>{children}</Tabs>
      <ListMenu tagId={tagId} news={news} />
    </div>
  )
}
