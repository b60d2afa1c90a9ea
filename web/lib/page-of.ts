/** Names the page that a path leads to: `/training/m1` for all sections of that training. */
export function pageOf(pathname: string): string {
  return pathname.split('/', 3).join('/')
}
