import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Choice, Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addHelpCategory, editHelpCategory, type helpList, type removeHelp, type removeHelpCategory } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

type Category = Output<typeof helpList>['categories'][number]

export function Page() {
  const words = useWords('helpAdmin')
  const { categories } = useLoaderData<Output<typeof helpList>>()
  const language = useLanguage()
  const [open, setOpen] = useState<Category | 'new' | null>(null)
  const groups = categories.filter(({ parentId }) => parentId === null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('help')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('addCategory')}
        </button>
      </div>
      <p className="meta">{words('helpWhat')}</p>
      {categories.length === 0 && <Empty>{words('none')}</Empty>}
      <ul className={css.tree}>
        {groups.map((group) => (
          <li key={group.id}>
            <CategoryLine category={group} edit={() => setOpen(group)} />
            <ul>
              {categories
                .filter(({ parentId }) => parentId === group.id)
                .map((category) => (
                  <li key={category.id}>
                    <CategoryLine category={category} edit={() => setOpen(category)} />
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
      <Dialog
        title={open === 'new' ? words('addCategory') : (open?.name[language] ?? '')}
        isOpen={open !== null}
        close={() => setOpen(null)}
      >
        {open && <CategoryForm category={open === 'new' ? null : open} groups={groups} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function CategoryLine({ category, edit }: { category: Category; edit: () => void }) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const remove = useDeed<typeof removeHelpCategory>('/admin/helpCategory/remove')
  const name = category.name[language]

  async function ask(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), words('remove'))) await remove.go({ categoryId: category.id })
  }

  return (
    <>
      <div className={css.line}>
        <strong>{name}</strong>
        <Link to={`/admin/help/edit?categoryId=${category.id}`}>{words('addPage')}</Link>
        <Menu label={words('deedsFor', { name })}>
          <MenuButton onClick={edit}>{words('edit')}</MenuButton>
          <MenuButton danger onClick={() => void ask()}>
            {words('remove')}
          </MenuButton>
        </Menu>
      </div>
      <ul>
        {category.pages.map((page) => (
          <li key={page.id}>
            <PageLine page={page} />
          </li>
        ))}
      </ul>
    </>
  )
}

function PageLine({ page }: { page: Category['pages'][number] }) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const remove = useDeed<typeof removeHelp>('/admin/help/remove')
  const name = page.title[language]

  async function ask(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), words('remove'))) await remove.go({ pageId: page.id })
  }

  return (
    <div className={css.line}>
      <Link to={`/admin/help/edit?pageId=${page.id}`}>{name}</Link>
      {!page.isVisible && <span className="mark">{words('hidden')}</span>}
      <Menu label={words('deedsFor', { name })}>
        <MenuLink to={`/admin/help/edit?pageId=${page.id}`}>{words('edit')}</MenuLink>
        <MenuButton danger onClick={() => void ask()}>
          {words('remove')}
        </MenuButton>
      </Menu>
    </div>
  )
}

type FormProps = { category: Category | null; groups: Category[]; done: () => void }

function CategoryForm({ category, groups, done }: FormProps) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const fields = (
    <>
      <Unsaved />
      <Field name="zh" label={words('nameZh')} defaultValue={category?.name.zh} required maxLength={60} data-first />
      <Field name="en" label={words('nameEn')} defaultValue={category?.name.en} required maxLength={60} />
      <Choice name="parentId" label={words('within')} defaultValue={category?.parentId ?? ''}>
        <option value="">{words('withinNone')}</option>
        {groups
          .filter(({ id }) => id !== category?.id)
          .map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
      </Choice>
      <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={category?.sort ?? 0} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!category)
    return (
      <Form sends={addHelpCategory} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editHelpCategory} along={{ categoryId: category.id }} then={done}>
      {fields}
    </Form>
  )
}
