const oldest = 130

/** How old somebody is on a day, both as 2026-11-23. Who was born on 29 February is a year older on 1 March where there is none. */
export function ageOn(day: string, birthday: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4))
  return day.slice(5) < birthday.slice(5) ? years - 1 : years
}

export function mayBeBorn(birthday: string, today: string): boolean {
  return birthday <= today && ageOn(today, birthday) <= oldest
}

export const grownAt = 18
