package srs

// Projection methods and parameters by EPSG's numbers. The numbers and the parameters of a method are
// those of EPSG's Guidance Note 7-2, the names those of well-known text.

// quantity is what a parameter measures.
type quantity uint8

const (
	anyNumber quantity = iota
	latitude
	longitude
	scale
	height
	zoneWidth
)

type parameter struct {
	name string
	of   quantity
}

var parameters = map[int]parameter{
	1026: {"c1", anyNumber},
	1027: {"c2", anyNumber},
	1028: {"c3", anyNumber},
	1029: {"c4", anyNumber},
	1030: {"c5", anyNumber},
	1031: {"c6", anyNumber},
	1032: {"c7", anyNumber},
	1033: {"c8", anyNumber},
	1034: {"c9", anyNumber},
	1035: {"c10", anyNumber},
	1036: {"azimuth", anyNumber},
	1038: {"ellipsoid_scale_factor", scale},
	1039: {"projection_plane_height_at_origin", height},
	8617: {"evaluation_point_ordinate_1", anyNumber},
	8618: {"evaluation_point_ordinate_2", anyNumber},
	8801: {"latitude_of_origin", latitude},
	8802: {"central_meridian", longitude},
	8805: {"scale_factor", scale},
	8806: {"false_easting", anyNumber},
	8807: {"false_northing", anyNumber},
	8811: {"latitude_of_center", latitude},
	8812: {"longitude_of_center", longitude},
	8813: {"azimuth", anyNumber},
	8814: {"rectified_grid_angle", anyNumber},
	8815: {"scale_factor", scale},
	8816: {"false_easting", anyNumber},
	8817: {"false_northing", anyNumber},
	8818: {"pseudo_standard_parallel_1", anyNumber},
	8819: {"scale_factor", scale},
	8821: {"latitude_of_origin", latitude},
	8822: {"central_meridian", longitude},
	8823: {"standard_parallel_1", latitude},
	8824: {"standard_parallel_2", latitude},
	8826: {"false_easting", anyNumber},
	8827: {"false_northing", anyNumber},
	8830: {"initial_longitude", longitude},
	8831: {"zone_width", zoneWidth},
	8832: {"standard_parallel", latitude},
	8833: {"longitude_of_center", longitude},
}

// methods are the parameters that each method must have.
var methods = map[int][]int{
	1024: {8801, 8802, 8806, 8807},
	1027: {8801, 8802, 8806, 8807},
	1028: {8823, 8802, 8806, 8807},
	1029: {8823, 8802, 8806, 8807},
	1041: {8811, 8833, 1036, 8818, 8819, 8806, 8807},
	1042: {8811, 8833, 1036, 8818, 8819, 8806, 8807, 8617, 8618, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035},
	1043: {8811, 8833, 1036, 8818, 8819, 8806, 8807, 8617, 8618, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035},
	1051: {8821, 8822, 8823, 8824, 8826, 8827, 1038},
	1052: {8801, 8802, 8806, 8807, 1039},
	9801: {8801, 8802, 8805, 8806, 8807},
	9802: {8821, 8822, 8823, 8824, 8826, 8827},
	9803: {8821, 8822, 8823, 8824, 8826, 8827},
	9804: {8801, 8802, 8805, 8806, 8807},
	9805: {8823, 8802, 8806, 8807},
	9806: {8801, 8802, 8806, 8807},
	9807: {8801, 8802, 8805, 8806, 8807},
	9808: {8801, 8802, 8805, 8806, 8807},
	9809: {8801, 8802, 8805, 8806, 8807},
	9810: {8801, 8802, 8805, 8806, 8807},
	9811: {8801, 8802, 8806, 8807},
	9812: {8811, 8812, 8813, 8814, 8815, 8806, 8807},
	9813: {8811, 8812, 8813, 8815, 8806, 8807},
	9815: {8811, 8812, 8813, 8814, 8815, 8816, 8817},
	9816: {8821, 8822, 8826, 8827},
	9817: {8801, 8802, 8805, 8806, 8807},
	9818: {8801, 8802, 8806, 8807},
	9819: {8811, 8833, 1036, 8818, 8819, 8806, 8807},
	9820: {8801, 8802, 8806, 8807},
	9822: {8821, 8822, 8823, 8824, 8826, 8827},
	9824: {8801, 8830, 8831, 8805, 8806, 8807},
	9826: {8801, 8802, 8805, 8806, 8807},
	9828: {8801, 8802, 8806, 8807},
	9829: {8832, 8833, 8806, 8807},
	9830: {8832, 8833, 8826, 8827},
	9831: {8801, 8802, 8806, 8807},
	9832: {8801, 8802, 8806, 8807},
	9833: {8801, 8802, 8806, 8807},
	9834: {8823, 8802, 8806, 8807},
	9835: {8823, 8802, 8806, 8807},
}

// polarA is the method whose latitude of origin is that of a pole.
const polarA = 9810
