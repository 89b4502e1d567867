import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { ShortListTools } from '#base/admin/short-list-tools.tsx'
import { nameColumn, type ShortListColumn } from '#base/admin/filter-tree.ts'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { joinNames } from '#base/language.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { closedAbove, RemoveTag, TagForm, type Tag, type TagTree } from '#content/admin/tag-forms.tsx'
import type { sortTags, tagsForStaff } from '#tag/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#content/admin/content.module.css'

type Open = { what: 'add'; under: Tag | null } | { what: 'edit' | 'remove'; tag: Tag }

export function Page() {
  const words = useWords('contentAdmin')
  const nameOf = useNameOf()
  const tree = useLoaderData<Output<typeof tagsForStaff>>()
  const columns: ShortListColumn<Tag>[] = [
    nameColumn(words('tag')),
    { label: words('key'), text: ({ key }) => key },
    { label: words('topics'), text: ({ topicCount }) => String(topicCount) },
  ]
  const [open, setOpen] = useState<Open | null>(null)
  const [newest, setNewest] = useState<string | null>(null)
  const close = () => setOpen(null)
  function added(tagId: string): void {
    close()
    setNewest(tagId)
    toast(words('tagAdded'))
  }
  const title = !open ? '' : open.what === 'add' ? words('addTag') : words(`${open.what}Tag`, { name: nameOf(open.tag.name) })
  return (
    <>
      <div className={css.head}>
        <h1>{words('tags')}</h1>
        <button type="button" className="button" onClick={() => setOpen({ what: 'add', under: null })}>
          {words('addTag')}
        </button>
      </div>
      <p className="meta">{words('tagsWhat')}</p>
      <ShortListTools items={tree.tags} columns={columns}>
        {(visible) =>
          tree.tags.length === 0 ? <Empty>{words('noTags')}</Empty> : <Tree tree={tree} shown={visible} newest={newest} open={setOpen} />
        }
      </ShortListTools>
      <Dialog title={title} isOpen={open !== null} close={close}>
        {open?.what === 'add' && <TagForm tree={tree} tag={null} under={open.under} onDone={close} added={added} />}
        {open?.what === 'edit' && (
          <VersionedForm item={tree.tags.find(({ id }) => id === open.tag.id) ?? open.tag}>
            {(tag) => <TagForm tree={tree} tag={tag} under={null} onDone={close} added={added} />}
          </VersionedForm>
        )}
        {open?.what === 'remove' && <RemoveTag tree={tree} tag={open.tag} onDone={close} />}
      </Dialog>
    </>
  )
}

type TreeProps = { tree: TagTree; shown: readonly Tag[]; newest: string | null; open: (open: Open) => void }

function Tree({ tree, shown, newest, open }: TreeProps) {
  const words = useWords('contentAdmin')
  const level = (parentId: string | null) => tree.tags.filter((tag) => tag.parentId === parentId)
  const all = level(null).flatMap((tag) => [
    { tag, beside: level(null) },
    ...level(tag.id).map((child) => ({ tag: child, beside: level(tag.id) })),
  ])
  const rows = all.filter(({ tag }) => shown.includes(tag))
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('tag')}</th>
          <th>{words('topics')}</th>
          <th>
            <span className="hidden">{words('action')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ tag, beside }) => (
          <Row key={tag.id} tree={tree} tag={tag} beside={beside} isNewest={tag.id === newest} open={open} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { tree: TagTree; tag: Tag; beside: readonly Tag[]; isNewest: boolean; open: (open: Open) => void }

function Row({ tree, tag, beside, isNewest, open }: RowProps) {
  const words = useWords('contentAdmin')
  const language = useLanguage()
  const nameOf = useNameOf()
  const hasBelow = tree.tags.some(({ parentId }) => parentId === tag.id)
  const roleNames = (tag.access ?? []).map(({ roleId, may }) => {
    const role = tree.roles.find(({ id }) => id === roleId)
    return role ? words(may === 'post' ? 'roleMayPost' : 'roleMayView', { role: nameOf(role.name) }) : ''
  })
  const above = closedAbove(tree, tag.parentId)
  const everybody = above ? words('asAbove', { above: nameOf(above.name) }) : words('everybody')
  return (
    <tr ref={isNewest ? show : null}>
      <td className={tag.parentId ? css.below : undefined}>
        <div className={css.named}>
          {tag.picture && <img src={`${tag.picture.src}?w=96`} alt="" width={24} height={24} loading="lazy" decoding="async" />}
          <div>
            <strong>{nameOf(tag.name)}</strong>
            {nameOf(tag.description) && <div>{nameOf(tag.description)}</div>}
            <div className="meta">
              <code>{tag.key}</code> · {tag.access === null ? everybody : joinNames(language, roleNames) || words('nobody')}
            </div>
          </div>
        </div>
      </td>
      <td>{hasBelow ? null : <Link to={`/admin/topic?tagId=${tag.id}`}>{tag.topicCount}</Link>}</td>
      <td className={css.end}>
        <Menu label={words('actionsFor', { name: nameOf(tag.name) })}>
          <MenuButton onClick={() => open({ what: 'edit', tag })}>{words('edit')}</MenuButton>
          {!tag.parentId && tag.allTopics === 0 && (
            <MenuButton onClick={() => open({ what: 'add', under: tag })}>{words('addBelow')}</MenuButton>
          )}
          <Moves tag={tag} beside={beside} />
          <LogLink about={`tag ${tag.id}`} />
          {!hasBelow && (
            <MenuButton danger onClick={() => open({ what: 'remove', tag })}>
              {words('doRemove')}
            </MenuButton>
          )}
        </Menu>
      </td>
    </tr>
  )
}

/** Scrolls a new row into view and moves the focus to it. */
function show(row: HTMLTableRowElement | null): void {
  row?.scrollIntoView({ block: 'center' })
  row?.querySelector('button')?.focus({ preventScroll: true })
}

function Moves({ tag, beside }: { tag: Tag; beside: readonly Tag[] }) {
  const words = useWords('contentAdmin')
  const sort = useAction<typeof sortTags>('/admin/tag/sort')
  const at = beside.findIndex(({ id }) => id === tag.id)

  function swap(other: number): void {
    const tagIds = beside.map(({ id }) => id)
    tagIds.splice(other, 0, ...tagIds.splice(at, 1))
    void sort.run({ tagIds }, { message: words('saved') })
  }

  return (
    <>
      {at > 0 && <MenuButton onClick={() => swap(at - 1)}>{words('moveUp')}</MenuButton>}
      {at < beside.length - 1 && <MenuButton onClick={() => swap(at + 1)}>{words('moveDown')}</MenuButton>}
    </>
  )
}
