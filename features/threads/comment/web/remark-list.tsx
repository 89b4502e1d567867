import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#comment/web/remark-list.module.css'

export type Remark = { id: string; to: string; topicTitle: string; text: string; publishedAt: string; isBest?: boolean }

/** A member's comments or replies, each a link to its place. */
export function RemarkList({ remarks }: { remarks: readonly Remark[] }) {
  const words = useWords('comment')
  return (
    <ol className={css.list}>
      {remarks.map((remark) => (
        <li key={remark.id}>
          <Link to={remark.to} className={css.text}>
            {remark.text || words('pictureOnly')}
          </Link>
          <p className="meta">
            {remark.isBest && <span className="mark">{words('best')}</span>}
            <span>{words('inTopic', { title: remark.topicTitle })}</span>
            <Time at={remark.publishedAt} />
          </p>
        </li>
      ))}
    </ol>
  )
}
