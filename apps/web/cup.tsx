/** The logo. */
export function Cup() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 10h13v4.5A5.5 5.5 0 0 1 11.5 20h-2A5.5 5.5 0 0 1 4 14.5z" />
      <path d="M17 11.5h1.2a2.3 2.3 0 0 1 0 4.6H16.7" />
      <path d="M8 6.8c0-1.2 1-1.3 1-2.6M12 6.8c0-1.2 1-1.3 1-2.6" />
    </svg>
  )
}
