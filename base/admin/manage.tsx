import { useState, type ComponentType, type ReactNode } from 'react'
import { ShortListTable } from '#base/admin/short-list-table.tsx'
import { ShortListTools } from '#base/admin/short-list-tools.tsx'
import { Head } from '#base/admin/head.tsx'
import { InLanguages } from '#base/admin/in-languages.tsx'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Bilingual } from '#base/both-languages.ts'
import type { Endpoint } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'

/** The props of an edit form; `thing` is null for a new one. */
export type EditFormProps<Thing> = { item: Thing | null; onDone: () => void }

type ManageProps<Thing> = {
  title: string
  /** A sentence about these things. */
  summary: string
  /** The label of the add button; null without the right to add. */
  addLabel: string | null
  items: readonly Thing[]
  labelOf: (thing: Thing) => string
  /** The columns of the table, of the search and of the file. */
  columns: readonly ShortListColumn<Thing>[]
  form: ComponentType<EditFormProps<Thing>>
  /** Shown in place of an empty list. */
  emptyText?: string
} & (
  | { /** The menu of a row in the table. */ renderActions: (thing: Thing, edit: () => void) => ReactNode; children?: never }
  | {
      /** The list, where it is no table. */ children: (things: readonly Thing[], edit: (thing: Thing) => void) => ReactNode
      renderActions?: never
    }
)

/** A screen for a short list whose rows are added and edited in a dialog. */
export function Manage<Thing extends { id: string; version: number | string; parentId?: string | null }>({
  title,
  summary,
  addLabel,
  items,
  labelOf,
  columns,
  form: Fields,
  emptyText,
  renderActions,
  children,
}: ManageProps<Thing>) {
  const words = useWords('admin')
  const [open, setOpen] = useState<Thing | 'new' | null>(null)
  const close = () => setOpen(null)
  const heading = open === null || open === 'new' ? (addLabel ?? '') : words('editOf', { name: labelOf(open) })
  return (
    <>
      <Head title={title}>
        {addLabel !== null && (
          <button type="button" className="button" onClick={() => setOpen('new')}>
            {addLabel}
          </button>
        )}
      </Head>
      <p className="meta">{summary}</p>
      <ShortListTools items={items} columns={columns}>
        {(visible) => {
          if (items.length === 0 && emptyText) return <Empty>{emptyText}</Empty>
          if (children) return children(visible, setOpen)
          return <ShortListTable items={visible} columns={columns} renderActions={(thing) => renderActions(thing, () => setOpen(thing))} />
        }}
      </ShortListTools>
      <Dialog title={heading} isOpen={open !== null} close={close}>
        {open === 'new' && <Fields item={null} onDone={close} />}
        {open !== null && open !== 'new' && (
          <VersionedForm item={items.find(({ id }) => id === open.id) ?? open}>
            {(thing) => <Fields item={thing} onDone={close} />}
          </VersionedForm>
        )}
      </Dialog>
    </>
  )
}

type AddOrEditProps<Adds extends Endpoint, Edits extends Endpoint> = {
  addEndpoint: Adds
  editEndpoint: Edits
  /** The id of the edited row, as the endpoint expects it; null for a new one. */
  editedId: Record<string, unknown> | null
  onDone: () => void
  children: ReactNode
}

/** A form that calls one endpoint for a new row and another for an existing one. */
export function AddOrEdit<Adds extends Endpoint, Edits extends Endpoint>(props: AddOrEditProps<Adds, Edits>) {
  const { addEndpoint, editEndpoint, editedId, onDone, children } = props
  const words = useWords('admin')
  const fields = (
    <>
      <UnsavedGuard />
      {children}
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!editedId)
    return (
      <Form endpoint={addEndpoint} onSuccess={onDone}>
        {fields}
      </Form>
    )
  return (
    <Form endpoint={editEndpoint} extra={editedId} onSuccess={onDone}>
      {fields}
    </Form>
  )
}

type EditMenuProps = {
  name: string
  /** Opens the form, or its address. */
  edit: (() => void) | string
  /** The confirmation before removal. */
  confirmation: string
  /** Undefined if it cannot be removed. */
  remove?: (() => unknown) | undefined
  children?: ReactNode
}

/** The actions of a row: edit, its own, and remove. */
export function EditMenu({ name, edit, confirmation, remove, children }: EditMenuProps) {
  const words = useWords('admin')

  async function ask(): Promise<void> {
    if (await confirm(confirmation, words('remove'))) await remove?.()
  }

  return (
    <Menu label={words('actionsFor', { name })}>
      {typeof edit === 'string' ? <MenuLink to={edit}>{words('edit')}</MenuLink> : <MenuButton onClick={edit}>{words('edit')}</MenuButton>}
      {children}
      {remove && (
        <MenuButton danger onClick={() => void ask()}>
          {words('remove')}
        </MenuButton>
      )}
    </Menu>
  )
}

const plainNames = { zh: 'zh', en: 'en' }
const nameLabels = { zh: 'nameZh', en: 'nameEn' } as const

type NameFieldsProps = { name: Bilingual | undefined; maxLength: number; /** The field names. */ fields?: Bilingual }

/** The name of something in each language that the site offers. */
export function NameFields({ name, maxLength, fields = plainNames }: NameFieldsProps) {
  const words = useWords('admin')
  return (
    <InLanguages names={fields} stored={name}>
      {({ name: field, language, value, isFirst, isAlone }) => (
        <Field
          name={field}
          label={words(isAlone ? 'nameAlone' : nameLabels[language])}
          defaultValue={value}
          required
          maxLength={maxLength}
          data-first={isFirst || undefined}
        />
      )}
    </InLanguages>
  )
}

/** The position among others. */
export function SortField({ sort = 0 }: { sort: number | undefined }) {
  const words = useWords('admin')
  return <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={sort} />
}
