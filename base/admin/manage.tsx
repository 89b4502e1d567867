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

/** What the form of a thing gets; null for a new one. */
export type Edited<Thing> = { thing: Thing | null; done: () => void }

type ManageProps<Thing> = {
  title: string
  /** A sentence about these things. */
  what: string
  /** The label of the button that adds one; null without the right to. */
  add: string | null
  things: readonly Thing[]
  called: (thing: Thing) => string
  /** What they are told by, to find them and for the file. */
  columns: readonly FewColumn<Thing>[]
  form: ComponentType<Edited<Thing>>
  children: (things: readonly Thing[], edit: (thing: Thing) => void) => ReactNode
}

/** A screen of a few things, which are added and edited in a dialog. */
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
  /** Which one is edited, as the call wants it; null for a new one. */
  one: Record<string, unknown> | null
  done: () => void
  children: ReactNode
}

/** A form whose fields are sent to one call for a new thing, and to another for one that is there. */
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
  /** What opens the form, or the address where it stands. */
  edit: (() => void) | string
  /** The question before it is removed. */
  asks: string
  /** Without it the thing stays. */
  remove?: (() => unknown) | undefined
  children?: ReactNode
}

/** What may be done to one thing: editing it, deeds of its own, and removing it. */
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

/** The head of the column that holds such menus. */
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

type NameFieldsProps = { name: InBoth | undefined; maxLength: number; /** What the fields are called. */ fields?: InBoth }

/** What a thing is called, in each language that the site offers. */
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

/** Where a thing stands among others. */
export function SortField({ sort = 0 }: { sort: number | undefined }) {
  const words = useWords('admin')
  return <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={sort} />
}
