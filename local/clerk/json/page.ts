/** A list as Clerk pages it; everything fits on one page here. */
export function pageJson<Item>(data: Item[]) {
  return { data, total_count: data.length }
}
