import { useState } from 'react'
import { useWords } from '#base/web/words.tsx'
import type { CommentView } from '#comment/contract.ts'
import { Comment } from '#comment/web/comment.tsx'
import { readingPreferences } from '#comment/web/reading/reading-preferences.ts'
import { treeOf, type Branch } from '#comment/web/reading/tree.ts'
import flat from '#comment/web/comment.module.css'
import css from '#comment/web/reading/reading.module.css'

const deepest = 5

/** A page of comments in the chosen layout: by floor, or each under the comment that it quotes. */
export function Branches({ comments }: { comments: readonly CommentView[] }) {
  const { shape } = readingPreferences.use()
  const branches = shape === 'tree' ? treeOf(comments) : comments.map((comment) => ({ comment, under: [] }))
  return (
    <ol className={shape === 'tree' ? `${flat.list} ${css.tree}` : flat.list}>
      {branches.map((branch) => (
        <BranchItem key={branch.comment.id} branch={branch} depth={0} />
      ))}
    </ol>
  )
}

function BranchItem({ branch: { comment, under }, depth }: { branch: Branch; depth: number }) {
  const words = useWords('comment')
  const [isFolded, setFolded] = useState(false)
  if (under.length === 0) return <Comment comment={comment} />
  const label = isFolded ? words('unfold', { count: sizeOf(under) }) : words('fold')
  return (
    <Comment comment={comment}>
      <button type="button" className={`plain ${css.fold}`} aria-expanded={!isFolded} onClick={() => setFolded(!isFolded)}>
        {label}
      </button>
      {!isFolded && (
        <ol className={depth < deepest ? `${flat.list} ${css.branch}` : flat.list}>
          {under.map((branch) => (
            <BranchItem key={branch.comment.id} branch={branch} depth={depth + 1} />
          ))}
        </ol>
      )}
    </Comment>
  )
}

function sizeOf(branches: readonly Branch[]): number {
  return branches.reduce((sum, { under }) => sum + 1 + sizeOf(under), 0)
}
