/** The address of a page with the moment at which its video begins. */
export function makeTimeLink(address: string, seconds: number): string {
  const link = new URL(address, document.baseURI)
  link.searchParams.set('t', String(Math.floor(seconds)))
  return link.href
}
