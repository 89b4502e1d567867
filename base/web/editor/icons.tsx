/** The signs on the editor's buttons: lines on a field of 24. */
export const icons = {
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14.500 5l-5 14',
  strike: 'M4 12h16M16.500 8c0-2-1.800-3.500-4.500-3.500S7.500 6 7.500 8M7.500 16c0 2 1.800 3.500 4.500 3.500s4.500-1.500 4.500-3.500',
  code: 'M8.500 7.500 4 12l4.500 4.500M15.500 7.500 20 12l-4.500 4.500',
  heading: 'M6 5v14M18 5v14M6 12h12',
  subheading:
    'M5 6v12M13 6v12M5 12h8M17 14.500a1.800 1.800 0 1 1 1.600 2.600M18.600 17.100a1.700 1.700 0 1 1-1.800 2M16.800 12.800h3.400l-1.700 2.200',
  bulletList: 'M9.500 6.500H20M9.500 12H20M9.500 17.500H20M4.800 6.500h.01M4.800 12h.01M4.800 17.500h.01',
  orderedList: 'M10 6.500h10M10 12h10M10 17.500h10M4 5.500l1.500-1v5M4 14.800c.3-.9 2.500-1 2.500.3 0 .9-2.500 2-2.500 3.400h2.600',
  taskList: 'M4 6.500l1.500 1.500 3-3M4 16.500l1.500 1.500 3-3M12 7h8M12 17h8',
  quote: 'M9.500 7C6.500 8 5 10 5 13v4h5v-5H7.500M18.500 7c-3 1-4.500 3-4.500 6v4h5v-5h-2.500',
  codeBlock: 'M4 5.500h16v13H4zM9 9.500 6.800 12 9 14.500M15 9.500l2.200 2.500-2.200 2.500',
  rule: 'M4 12h16M8 7h8M8 17h8',
  table: 'M4 5.500h16v13H4zM4 10h16M4 14.300h16M12 5.500v13',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3A4 4 0 0 0 13 5.300l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3A4 4 0 0 0 11 18.700l1-1',
  mention: 'M15.500 12a3.500 3.500 0 1 1-7 0 3.500 3.500 0 0 1 7 0zM15.500 8.500V13a2.300 2.300 0 0 0 4.500 0v-1a8 8 0 1 0-3.200 6.400',
  picture: 'M4 5.500h16v13H4zM4 16l4.500-4.500 3.500 3.500 2.500-2.500L20 17M15.500 9.300h.01',
  undo: 'M8 5 4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-4',
  redo: 'M16 5l4 4-4 4M20 9H10a5.500 5.500 0 0 0 0 11h4',
  close: 'M6.500 6.500l11 11M17.500 6.500l-11 11',
} as const

export function Icon({ of }: { of: keyof typeof icons }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={icons[of]} />
    </svg>
  )
}
