import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { SectionForm, type Section } from '#frame/admin/section-form.tsx'
import type { removeSection } from '#frame/contract.ts'
import css from '#frame/admin/frame.module.css'

type Open = { section: Section | null; under: string | null }

/** The navigation as it stands in the head of every page. */
export function Page() {
  const words = useWords('frameAdmin')
  const { sections } = useLoaderData<{ sections: Section[] }>()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('sections')}</h1>
        <button type="button" className="button" onClick={() => setOpen({ section: null, under: null })}>
          {words('addSection')}
        </button>
      </div>
      <p className="meta">{words('sectionsWhat')}</p>
      {sections.length === 0 ? <Empty>{words('noSections')}</Empty> : <Table sections={sections} open={setOpen} />}
      <Dialog title={words(open?.section ? 'editSection' : 'addSection')} isOpen={open !== null} close={close}>
        {open && <SectionForm {...open} all={sections} done={close} />}
      </Dialog>
    </>
  )
}

function Table({ sections, open }: { sections: readonly Section[]; open: (open: Open) => void }) {
  const words = useWords('frameAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('name')}</th>
          <th>{words('url')}</th>
          <th>{words('audience')}</th>
          <th>{words('sort')}</th>
          <th>
            <span className="hidden">{words('deeds')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sections.map((section) => (
          <Line key={section.id} section={section} open={open} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ section, open }: { section: Section; open: (open: Open) => void }) {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const remove = useDeed<typeof removeSection>('/admin/section/remove')
  const name = language === 'zh' ? section.nameZh : section.nameEn
  const other = language === 'zh' ? section.nameEn : section.nameZh

  async function ask(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), words('remove'))) await remove.go({ sectionId: section.id })
  }

  const deeds = (
    <Menu label={words('deedsFor', { name })}>
      <MenuButton onClick={() => open({ section, under: null })}>{words('edit')}</MenuButton>
      {section.parentId === null && <MenuButton onClick={() => open({ section: null, under: section.id })}>{words('addUnder')}</MenuButton>}
      <MenuButton danger onClick={() => void ask()}>
        {words('remove')}
      </MenuButton>
    </Menu>
  )
  return (
    <tr>
      <td className={section.parentId === null ? undefined : css.under}>
        {name} <span className="meta">{other}</span>
      </td>
      <td className={css.url}>{section.url || <span className="meta">{words('noUrl')}</span>}</td>
      <td>{words(section.audience)}</td>
      <td>{section.sort}</td>
      <td>{deeds}</td>
    </tr>
  )
}
