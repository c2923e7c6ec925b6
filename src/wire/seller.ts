// A seller's profile as it stands on the wire (specification: seller profile): schema, and domain -> wire.

import { z } from '@hono/zod-openapi';

import { isoTimestamp } from '../core/clock.ts';
import { SELLER_STATUSES, type SellerProfile } from '../listing/seller.ts';
import { count, text, tokenFields } from './fields.ts';

const Location = z
  .strictObject({
    city: text('City.'),
    state: text('State or province, as the page writes it.'),
    postal_code: text('Postal code.'),
    country: text('Country, as the page writes it.'),
  })
  .nullable()
  .meta({ description: 'Where the seller is registered. Null when its page tells none of it.' });

export const SellerRecord = z
  .strictObject({
    seller_id: text('The 32 characters.'),
    seller_name: text('Name that buyers see.'),
    rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .meta({ description: 'Stars; null for a seller without ratings.' }),
    rating_count: count('Ratings the page states.'),
    active_listings: count('Items of the largest list on the page: its whole shop.'),
    account_age_days: count('Null unless a source states it.'),
    status: z
      .enum(SELLER_STATUSES)
      .nullable()
      .meta({ description: 'Null unless a source states it.' }),
    seller_type: z.enum(['FIRST_PARTY', 'EXTERNAL']).nullable().meta({
      description: '`FIRST_PARTY`: the retailer itself; `EXTERNAL`: a marketplace seller.',
    }),
    pro_seller: z
      .boolean()
      .nullable()
      .meta({ description: "Meets the retailer's bar for its badge. Null: not known." }),
    profile_url: text("The seller's page."),
    categories: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null unless a source states it.' }),
    location: Location,
    _freshness: z
      .strictObject({
        refreshed_at: z.iso.datetime().meta({ description: 'When the profile was last fetched.' }),
      })
      .meta({ description: 'How old the profile is.' }),
    ...tokenFields,
  })
  .openapi('SellerProfile');

export type SellerRecord = z.infer<typeof SellerRecord>;

/** The profile without its token fields. */
export function presentSellerRecord(
  seller: SellerProfile,
  fetchedAtMs: number,
): Omit<SellerRecord, 'tokens_consumed' | 'tokens_remaining'> {
  const { location } = seller;
  return {
    seller_id: seller.sellerId,
    seller_name: seller.name,
    rating: seller.rating,
    rating_count: seller.ratingCount,
    active_listings: seller.activeListings,
    account_age_days: seller.accountAgeDays,
    status: seller.status,
    seller_type: seller.sellerType,
    pro_seller: seller.proSeller,
    profile_url: seller.profileUrl,
    categories: seller.categories === null ? null : [...seller.categories],
    location:
      location === null
        ? null
        : {
            city: location.city,
            state: location.state,
            postal_code: location.postalCode,
            country: location.country,
          },
    _freshness: { refreshed_at: isoTimestamp(fetchedAtMs) },
  };
}
