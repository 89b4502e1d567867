import { StrokeIcon } from '#base/web/stroke-icon.tsx'

const paths = {
  share: 'M10 12V3.5M6.5 6.5 10 3l3.5 3.5M5 9.5H4V17h12V9.5h-1',
  close: 'M5 5l10 10M15 5 5 15',
  check: 'M4 10.5 8 14.5 16 6',
  plus: 'M10 4v12M4 10h12',
  settings:
    'M3.5 6.5h6M14.5 6.5h2M12 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3.5 13.5h2M10.5 13.5h6M8 16a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  list: 'M4 5.5h12M4 10h12M4 14.5h12',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l4 4',
  more: 'M4 10a.6.6 0 1 0 1.2 0A.6.6 0 1 0 4 10M9.4 10a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0M14.8 10a.6.6 0 1 0 1.2 0 .6.6 0 1 0-1.2 0',
  down: 'M5 7.5l5 5 5-5',
  left: 'M12.5 5l-5 5 5 5',
  right: 'M7.5 5l5 5-5 5',
  up: 'M5 12.5l5-5 5 5',
  home: 'M3 9.5 10 4l7 5.5V16h-4.5v-4h-5v4H3z',
  question: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14M8 8.2c.1-1.2 1-1.9 2-1.9s2 .7 2 1.9c0 1.5-2 1.6-2 3M10 13.7h.01',
  person: 'M10 10.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.5 17c.6-3 3.2-4.5 6.5-4.5s5.9 1.5 6.5 4.5',
  bell: 'M5 13.5V9a5 5 0 0 1 10 0v4.5l1.2 1.5H3.8zM8.5 17h3',
  message: 'M3.5 5h13v9H9l-3.5 3v-3h-2z',
  comment: 'M3.5 4.5h13v9.5h-5L10 16.5 8.5 14h-5zM7 8h6M7 10.8h4',
  heart: 'M10 16.5s-6.5-3.8-6.5-8.3A3.6 3.6 0 0 1 10 6a3.6 3.6 0 0 1 6.5 2.2c0 4.5-6.5 8.3-6.5 8.3',
  star: 'M10 3.5l2 4.2 4.6.6-3.4 3.2.9 4.6L10 13.9 5.9 16.1l.9-4.6-3.4-3.2 4.6-.6z',
  edit: 'M4 16l.8-3.5 8.4-8.4 2.7 2.7-8.4 8.4zM11.5 5.8l2.7 2.7',
  bin: 'M4 6h12M8 6V4h4v2M5.5 6l.8 10.5h7.4L14.5 6M8.5 9v4.5M11.5 9v4.5',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2L10 5.8M11.5 8.5a3 3 0 0 0-4.2 0l-2.6 2.6a3 3 0 0 0 4.2 4.2L10 14.2',
  quote: 'M4 13.5V10c0-2.5 1-4 3.5-4.5M4 10h3.5v3.5H4M11.5 13.5V10c0-2.5 1-4 3.5-4.5M11.5 10H15v3.5h-3.5',
  reply: 'M8 5 3.5 9.5 8 14M4 9.5h7a5 5 0 0 1 5 5V16',
  flag: 'M5 17V4M5 4.5h9.5l-2 3.3 2 3.2H5',
  lock: 'M5 9.5h10V16H5zM7 9.5V7a3 3 0 0 1 6 0v2.5',
  pin: 'M7 3.5h6l-.7 5 2.2 2.5h-9l2.2-2.5zM10 11v6',
  picture: 'M3.5 4.5h13v11h-13zM3.5 13l3.5-3.5 3 3 2.5-2.5 4 4M7 8h.01',
  copy: 'M7.5 7.5h8.5V16H7.5zM4 12.5V4h8.5',
  eye: 'M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5M10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  warning: 'M10 3.5l7.5 13h-15zM10 8.5v3.5M10 14.5h.01',
} as const

export type IconName = keyof typeof paths

/** A shared icon. An icon without text needs a label on its parent. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return <StrokeIcon path={paths[name]} size={size} />
}
