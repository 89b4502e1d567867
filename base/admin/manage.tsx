import { useState, type ComponentType, type ReactNode } from 'react'
import { Few } from '#base/admin/few.tsx'
import { Head } from '#base/admin/head.tsx'
import { InLanguages } from '#base/admin/in-languages.tsx'
import type { FewColumn } from '#base/admin/narrowed.ts'
import { Unsaved } from '#base/admin/unsaved.tsx'
import { Versioned } from '#base/admin/versioned.tsx'
import type { InBoth } from '#base/both-languages.ts'
import type { Endpoint } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/admin/manage.module.css'

/** The props of an edit form; `thing` is null for a new one. */
export type Edited<Thing> = { thing: Thing | null; done: () => void }

type ManageProps<Thing> = {
  title: string
  /** A sentence about these things. */
  what: string
  /** The label of the add button; null without the right to add. */
  add: string | null
  things: readonly Thing[]
  called: (thing: Thing) => string
  /** The searchable columns, also those of the file. */
  columns: readonly FewColumn<Thing>[]
  form: ComponentType<Edited<Thing>>
  children: (things: readonly Thing[], edit: (thing: Thing) => void) => ReactNode
}

/** A screen for a short list whose rows are added and edited in a dialog. */
export function Manage<Thing extends { id: string; version: number | string; parentId?: string | null }>({
  title,
  what,
  add,
  things,
  called,
  columns,
  form: Fields,
  children,
}: ManageProps<Thing>) {
  const words = useWords('admin')
  const [open, setOpen] = useState<Thing | 'new' | null>(null)
  const close = () => setOpen(null)
  const heading = open === null || open === 'new' ? (add ?? '') : words('editOf', { name: called(open) })
  return (
    <>
      <Head title={title}>
        {add !== null && (
          <button type="button" className="button" onClick={() => setOpen('new')}>
            {add}
          </button>
        )}
      </Head>
      <p className="meta">{what}</p>
      <Few things={things} columns={columns}>
        {(shown) => children(shown, setOpen)}
      </Few>
      <Dialog title={heading} isOpen={open !== null} close={close}>
        {open === 'new' && <Fields thing={null} done={close} />}
        {open !== null && open !== 'new' && (
          <Versioned thing={things.find(({ id }) => id === open.id) ?? open}>{(thing) => <Fields thing={thing} done={close} />}</Versioned>
        )}
      </Dialog>
    </>
  )
}

type AddOrEditProps<Adds extends Endpoint, Edits extends Endpoint> = {
  adds: Adds
  edits: Edits
  /** The id of the edited row, as the endpoint expects it; null for a new one. */
  one: Record<string, unknown> | null
  done: () => void
  children: ReactNode
}

/** A form that calls one endpoint for a new row and another for an existing one. */
export function AddOrEdit<Adds extends Endpoint, Edits extends Endpoint>(props: AddOrEditProps<Adds, Edits>) {
  const { adds, edits, one, done, children } = props
  const words = useWords('admin')
  const fields = (
    <>
      <Unsaved />
      {children}
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!one)
    return (
      <Form sends={adds} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={edits} along={one} then={done}>
      {fields}
    </Form>
  )
}

type EditMenuProps = {
  name: string
  /** Opens the form, or its address. */
  edit: (() => void) | string
  /** The confirmation before removal. */
  asks: string
  /** Undefined if it cannot be removed. */
  remove?: (() => unknown) | undefined
  children?: ReactNode
}

/** The actions of a row: edit, its own, and remove. */
export function EditMenu({ name, edit, asks, remove, children }: EditMenuProps) {
  const words = useWords('admin')

  async function ask(): Promise<void> {
    if (await confirm(asks, words('remove'))) await remove?.()
  }

  return (
    <Menu label={words('deedsFor', { name })}>
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

/** The header of the column with these menus. */
export function DeedsHead() {
  const words = useWords('admin')
  return (
    <th className={css.deeds}>
      <span className="hidden">{words('deeds')}</span>
    </th>
  )
}

const plainNames = { zh: 'zh', en: 'en' }
const nameLabels = { zh: 'nameZh', en: 'nameEn' } as const

type NameFieldsProps = { name: InBoth | undefined; maxLength: number; /** The field names. */ fields?: InBoth }

/** The name of something in each language that the site offers. */
export function NameFields({ name, maxLength, fields = plainNames }: NameFieldsProps) {
  const words = useWords('admin')
  return (
    <InLanguages names={fields} kept={name}>
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
