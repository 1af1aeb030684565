//! Names of people, places and things. All invented or generic; mail addresses use reserved domains.

/// A shop: name, city, state, country, region, weight in sales.
pub(super) type ShopWords = (&'static str, &'static str, &'static str, &'static str, &'static str, u32);

pub(super) const STORES: [ShopWords; 40] = [
    ("SoHo Flagship", "New York", "NY", "US", "NE", 100),
    ("Brooklyn Heights", "New York", "NY", "US", "NE", 72),
    ("Back Bay", "Boston", "MA", "US", "NE", 64),
    ("Harvard Square", "Cambridge", "MA", "US", "NE", 40),
    ("Rittenhouse", "Philadelphia", "PA", "US", "NE", 46),
    ("Old Port", "Portland", "ME", "US", "NE", 24),
    ("Church Street", "Burlington", "VT", "USA", "NE", 18),
    ("Georgetown", "Washington", "DC", "US", "NE", 52),
    ("Buckhead", "Atlanta", "GA", "US", "SE", 50),
    ("King Street", "Charleston", "SC", "US", "SE", 30),
    ("South End", "Charlotte", "NC", "US", "SE", 34),
    ("Design District", "Miami", "FL", "US", "SE", 58),
    ("Hyde Park", "Tampa", "FL", "USA", "SE", 28),
    ("12 South", "Nashville", "TN", "US", "SE", 36),
    ("Garden District", "New Orleans", "LA", "US", "SE", 26),
    ("Lincoln Park", "Chicago", "IL", "US", "MW", 70),
    ("Oak Brook", "Chicago", "IL", "US", "MW", 44),
    ("Third Ward", "Milwaukee", "WI", "US", "MW", 26),
    ("North Loop", "Minneapolis", "MN", "US", "MW", 42),
    ("Short North", "Columbus", "OH", "USA", "MW", 32),
    ("Broad Ripple", "Indianapolis", "IN", "US", "MW", 24),
    ("Royal Oak", "Detroit", "MI", "US", "MW", 30),
    ("Country Club Plaza", "Kansas City", "MO", "US", "MW", 27),
    ("Domain", "Austin", "TX", "US", "SW", 56),
    ("River Oaks", "Houston", "TX", "US", "SW", 54),
    ("Knox Street", "Dallas", "TX", "US", "SW", 50),
    ("Old Town", "Scottsdale", "AZ", "US", "SW", 33),
    ("Canyon Road", "Santa Fe", "NM", "USA", "SW", 19),
    ("Cherry Creek", "Denver", "CO", "US", "W", 48),
    ("Hayes Valley", "San Francisco", "CA", "US", "W", 78),
    ("Abbot Kinney", "Los Angeles", "CA", "US", "W", 80),
    ("Little Italy", "San Diego", "CA", "US", "W", 40),
    ("Pearl District", "Portland", "OR", "US", "W", 45),
    ("Ballard", "Seattle", "WA", "US", "W", 60),
    ("Sugar House", "Salt Lake City", "UT", "US", "W", 25),
    ("Queen Street", "Toronto", "ON", "Canada", "CAN", 55),
    ("Gastown", "Vancouver", "BC", "Canada", "CAN", 46),
    ("Plateau", "Montreal", "QC", "Canada", "CAN", 38),
    ("Marylebone", "London", "England", "UK", "UK", 62),
    ("Stockbridge", "Edinburgh", "Scotland", "UK", "UK", 28),
];

/// Where customers live: city, state code, state name, country index (0 US, 1 Canada, 2 UK), weight.
pub(super) const HOMES: [(&str, &str, &str, usize, u32); 36] = [
    ("New York", "NY", "New York", 0, 100),
    ("Buffalo", "NY", "New York", 0, 16),
    ("Boston", "MA", "Massachusetts", 0, 48),
    ("Philadelphia", "PA", "Pennsylvania", 0, 40),
    ("Pittsburgh", "PA", "Pennsylvania", 0, 18),
    ("Washington", "DC", "District of Columbia", 0, 36),
    ("Atlanta", "GA", "Georgia", 0, 38),
    ("Charlotte", "NC", "North Carolina", 0, 26),
    ("Raleigh", "NC", "North Carolina", 0, 18),
    ("Miami", "FL", "Florida", 0, 42),
    ("Tampa", "FL", "Florida", 0, 20),
    ("Nashville", "TN", "Tennessee", 0, 26),
    ("New Orleans", "LA", "Louisiana", 0, 16),
    ("Chicago", "IL", "Illinois", 0, 72),
    ("Milwaukee", "WI", "Wisconsin", 0, 16),
    ("Minneapolis", "MN", "Minnesota", 0, 28),
    ("Columbus", "OH", "Ohio", 0, 22),
    ("Detroit", "MI", "Michigan", 0, 20),
    ("Kansas City", "MO", "Missouri", 0, 16),
    ("Austin", "TX", "Texas", 0, 42),
    ("Houston", "TX", "Texas", 0, 44),
    ("Dallas", "TX", "Texas", 0, 42),
    ("Phoenix", "AZ", "Arizona", 0, 28),
    ("Denver", "CO", "Colorado", 0, 34),
    ("San Francisco", "CA", "California", 0, 62),
    ("Los Angeles", "CA", "California", 0, 78),
    ("San Diego", "CA", "California", 0, 34),
    ("Portland", "OR", "Oregon", 0, 32),
    ("Seattle", "WA", "Washington", 0, 46),
    ("Salt Lake City", "UT", "Utah", 0, 16),
    ("Toronto", "ON", "Ontario", 1, 52),
    ("Vancouver", "BC", "British Columbia", 1, 34),
    ("Montreal", "QC", "Quebec", 1, 30),
    ("London", "England", "England", 2, 62),
    ("Manchester", "England", "England", 2, 22),
    ("Edinburgh", "Scotland", "Scotland", 2, 20),
];

/// The ways in which each country came to be written, with weights.
pub(super) const COUNTRIES: [&[(&str, u32)]; 3] = [
    &[("US", 60), ("USA", 24), ("U.S.", 10), ("United States", 6)],
    &[("Canada", 80), ("CAN", 20)],
    &[("UK", 70), ("United Kingdom", 30)],
];

pub(super) const FIRST_NAMES: [&str; 64] = [
    "Ada", "Aisha", "Alex", "Amara", "Amelia", "Andre", "Anita", "Arjun", "Ben", "Bianca", "Caleb", "Camila", "Carlos",
    "Chloe", "Clara", "Daniel", "Daria", "David", "Diego", "Elena", "Eli", "Emma", "Ethan", "Fatima", "Felix", "Freya",
    "Gabriel", "Grace", "Hannah", "Hugo", "Imani", "Iris", "Isaac", "Ivy", "Jack", "Jada", "James", "Jasmine", "Jonas",
    "Julia", "Kai", "Keiko", "Laila", "Leo", "Lucia", "Maya", "Mei", "Miguel", "Mila", "Nadia", "Noah", "Nora", "Omar",
    "Owen", "Priya", "Rosa", "Ruth", "Samir", "Sofia", "Theo", "Tomas", "Wei", "Yara", "Zoe",
];

pub(super) const LAST_NAMES: [&str; 72] = [
    "Abbott", "Ahmed", "Alvarez", "Anderson", "Baker", "Barnes", "Bauer", "Bell", "Bennett", "Brooks", "Campbell", "Carter",
    "Castillo", "Chen", "Clarke", "Cohen", "Collins", "Cooper", "Cruz", "Davies", "Diaz", "Edwards", "Evans", "Fischer",
    "Fleming", "Foster", "Garcia", "Gray", "Green", "Gupta", "Hall", "Harris", "Hughes", "Ibrahim", "Jackson", "Jensen",
    "Johnson", "Kaur", "Kelly", "Khan", "Kim", "Kowalski", "Lee", "Lewis", "Lopez", "Martin", "Mendez", "Miller", "Moore",
    "Morgan", "Murphy", "Nguyen", "Novak", "Okafor", "Olsen", "Ortiz", "Park", "Patel", "Perez", "Reed", "Rivera",
    "Rossi", "Sato", "Schmidt", "Singh", "Smith", "Stewart", "Tanaka", "Taylor", "Walker", "Wilson", "Young",
];

/// Categories: name, department, summer weight, winter weight, returns per mille, four things with a price in dollars.
pub(super) type CategoryWords = (&'static str, &'static str, u32, u32, usize, [(&'static str, i64); 4]);

pub(super) const CATEGORIES: [CategoryWords; 24] = [
    ("Cookware", "Kitchen", 50, 70, 30, [("Frying Pan", 48), ("Stock Pot", 86), ("Casserole", 129), ("Saucepan", 54)]),
    ("Tableware", "Kitchen", 70, 85, 45, [("Dinner Plate", 14), ("Serving Bowl", 32), ("Mug", 12), ("Cutlery Set", 79)]),
    ("Glassware", "Kitchen", 60, 65, 60, [("Wine Glass", 13), ("Carafe", 34), ("Tumbler", 9), ("Decanter", 62)]),
    ("Small Appliances", "Kitchen", 30, 48, 70, [("Kettle", 69), ("Toaster", 74), ("Coffee Grinder", 88), ("Blender", 109)]),
    ("Sofas", "Living", 12, 14, 55, [("Two-Seat Sofa", 1190), ("Corner Sofa", 2140), ("Armchair", 640), ("Footstool", 189)]),
    ("Tables", "Living", 15, 18, 45, [("Coffee Table", 329), ("Side Table", 148), ("Console Table", 389), ("Dining Table", 980)]),
    ("Lighting", "Living", 34, 56, 40, [("Floor Lamp", 168), ("Table Lamp", 84), ("Pendant Light", 139), ("Wall Light", 76)]),
    ("Rugs", "Living", 22, 30, 65, [("Wool Rug", 420), ("Jute Rug", 180), ("Runner", 120), ("Door Mat", 28)]),
    ("Decor", "Living", 62, 80, 30, [("Vase", 36), ("Picture Frame", 24), ("Mirror", 145), ("Candle Holder", 19)]),
    ("Candles", "Living", 40, 130, 12, [("Scented Candle", 26), ("Pillar Candle", 14), ("Reed Diffuser", 34), ("Tealight Pack", 8)]),
    ("Bedding", "Bedroom", 52, 62, 70, [("Duvet Cover", 98), ("Sheet Set", 112), ("Pillowcase", 22), ("Quilt", 165)]),
    ("Pillows and Throws", "Bedroom", 40, 95, 45, [("Cushion", 34), ("Throw", 72), ("Feather Pillow", 46), ("Bolster", 39)]),
    ("Beds", "Bedroom", 8, 9, 40, [("Bed Frame", 1090), ("Daybed", 840), ("Headboard", 390), ("Mattress", 920)]),
    ("Bedroom Storage", "Bedroom", 14, 14, 40, [("Wardrobe", 1150), ("Chest of Drawers", 690), ("Bedside Table", 210), ("Blanket Box", 260)]),
    ("Towels", "Bath", 55, 50, 35, [("Bath Towel", 28), ("Hand Towel", 16), ("Bath Mat", 32), ("Robe", 89)]),
    ("Bath Accessories", "Bath", 40, 38, 28, [("Soap Dispenser", 21), ("Toothbrush Cup", 14), ("Laundry Basket", 64), ("Shower Curtain", 44)]),
    ("Garden Furniture", "Garden", 36, 3, 40, [("Garden Bench", 349), ("Folding Chair", 89), ("Parasol", 175), ("Garden Table", 480)]),
    ("Planters", "Garden", 82, 14, 25, [("Terracotta Pot", 18), ("Hanging Planter", 29), ("Trough", 58), ("Watering Can", 38)]),
    ("Barbecue", "Garden", 44, 4, 35, [("Charcoal Grill", 239), ("Tongs", 19), ("Grill Basket", 34), ("Fire Pit", 210)]),
    ("Kids Furniture", "Kids", 16, 20, 50, [("Toddler Bed", 340), ("Play Table", 160), ("Bookcase", 190), ("Rocking Chair", 220)]),
    ("Toys", "Kids", 38, 150, 30, [("Wooden Blocks", 32), ("Stacking Rings", 18), ("Dolls House", 140), ("Puzzle", 16)]),
    ("Desks", "Office", 18, 15, 45, [("Writing Desk", 490), ("Standing Desk", 760), ("Desk Chair", 340), ("Filing Cabinet", 230)]),
    ("Stationery", "Office", 46, 52, 12, [("Notebook", 14), ("Desk Organiser", 36), ("Pen Pot", 16), ("Wall Calendar", 22)]),
    ("Gift Cards and Wrap", "Gifts", 18, 120, 8, [("Wrapping Paper", 7), ("Gift Box", 12), ("Ribbon Set", 9), ("Greeting Cards", 11)]),
];

/// Product lines: name and price in per cent of the plain thing.
pub(super) const LINES: [(&str, i64); 5] = [("Alder", 100), ("Fjord", 118), ("Harbour", 134), ("Meadow", 92), ("Atelier", 176)];

pub(super) const SUPPLIERS: [(&str, &str, i64); 28] = [
    ("Baltic Woodworks", "Estonia", 42),
    ("Porto Ceramica", "Portugal", 35),
    ("Saigon Rattan Co.", "Vietnam", 63),
    ("Jaipur Textile House", "India", 56),
    ("Nordlys Lighting", "Denmark", 38),
    ("Great Lakes Glass", "USA", 14),
    ("Carolina Upholstery", "US", 18),
    ("Oaxaca Clay Studio", "Mexico", 28),
    ("Lowell Linen Mills", "U.S.", 12),
    ("Shenzhen HomeTech", "China", 60),
    ("Ningbo Metalware", "China", 58),
    ("Izmir Cotton", "Turkey", 44),
    ("Limoges Atelier", "France", 33),
    ("Solingen Steel", "Germany", 30),
    ("Murano Vetro", "Italy", 36),
    ("Cotswold Wool", "UK", 25),
    ("Bergen Candles", "Norway", 34),
    ("Ontario Maple Works", "Canada", 16),
    ("Hudson Paper Goods", "US", 9),
    ("Cascadia Cedar", "USA", 15),
    ("Kyoto Kitchen Craft", "Japan", 48),
    ("Lisbon Cork Company", "Portugal", 32),
    ("Marrakesh Weavers", "Morocco", 52),
    ("Andes Alpaca", "Peru", 50),
    ("Gdansk Toys", "Poland", 37),
    ("Vermont Bath & Soap", "US", 10),
    ("Texas Fire & Grill", "U.S.", 13),
    ("Java Teak", "Indonesia", 66),
];

/// Promotions repeated each year: name, first month and day, length in days, per cent off.
pub(super) const PROMOTIONS: [(&str, u32, u32, i64, i64); 8] = [
    ("Winter Sale", 1, 2, 20, 20),
    ("Spring Refresh", 3, 18, 14, 10),
    ("Garden Weekend", 5, 10, 4, 15),
    ("Summer Sale", 7, 1, 18, 20),
    ("Back to School", 8, 19, 14, 10),
    ("Harvest Home", 10, 7, 8, 10),
    ("Black Friday", 11, 22, 8, 25),
    ("Holiday Gifts", 12, 8, 12, 15),
];

pub(super) const INTERESTS: [&str; 6] = ["kitchen", "garden", "bedroom", "kids", "office", "decor"];
